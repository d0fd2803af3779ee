/** Begins work a few pieces at a time, with a round of the event loop for others in between. */
export type Rounds = (begin: () => void) => void;

/** Work is begun in the order it came, at most `perRound` pieces of it in one round. */
export function createRounds(perRound: number): Rounds {
  const waiting: (() => void)[] = [];
  const goOn = (): void => {
    for (const begin of waiting.splice(0, perRound)) begin();
    if (waiting.length > 0) setImmediate(goOn);
  };
  return (begin) => {
    if (waiting.push(begin) === 1) setImmediate(goOn);
  };
}
