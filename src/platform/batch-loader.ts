/** While fewer rounds than this are under way, a question is asked at once. */
const roundsAtOnce = 3;
/** How long a question waits for others at most: a round that gets no answer holds up nobody else. */
const longestWaitMs = 100;
/** Questions in one round. */
const questionsAtOnce = 100;

/** A question, and whom to tell. */
interface Waiting<Q, A> {
  readonly question: Q;
  readonly answer: (answer: A) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Asks questions of which many take hardly longer than one, as a database over the network does: those that come while others
 * are being asked are asked together. `ask` gives one answer for each, in their order; when it fails, all of them fail.
 */
export function createBatchLoader<Q, A>(
  ask: (questions: readonly Q[]) => Promise<readonly A[]>,
): (question: Q) => Promise<A> {
  const waiting: Waiting<Q, A>[] = [];
  let rounds = 0;
  let overdue: NodeJS.Timeout | undefined;

  const beginRound = (): void => {
    rounds += 1;
    // Not yet: what is being asked in the same breath goes along.
    queueMicrotask(askOn);
  };
  /** The next questions; those that are left must not wait for too long either. */
  const take = (): Waiting<Q, A>[] => {
    clearTimeout(overdue);
    const some = waiting.splice(0, questionsAtOnce);
    overdue = waiting.length > 0 ? setTimeout(beginRound, longestWaitMs) : undefined;
    return some;
  };
  const askSome = async (some: readonly Waiting<Q, A>[]): Promise<void> => {
    try {
      const answers = await ask(some.map(({ question }) => question));
      if (answers.length !== some.length) throw new RangeError(`${some.length} questions, ${answers.length} answers`);
      for (const [index, answer] of answers.entries()) some[index]?.answer(answer);
    } catch (error) {
      for (const { fail } of some) fail(error);
    }
  };
  const askOn = async (): Promise<void> => {
    while (waiting.length > 0) {
      await askSome(take());
      // One more was begun because others got no answer: it does not go on, or there would be ever more of them.
      if (rounds > roundsAtOnce) break;
    }
    rounds -= 1;
  };

  return (question) => {
    const { promise, resolve: answer, reject: fail } = Promise.withResolvers<A>();
    waiting.push({ question, answer, fail });
    if (rounds < roundsAtOnce) beginRound();
    else overdue ??= setTimeout(beginRound, longestWaitMs);
    return promise;
  };
}
