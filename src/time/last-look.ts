/** The end of somebody's patience, until it is cancelled. */
export interface LastLook {
  cancel(): void;
}

/**
 * Gives up after a time, but not before what has arrived by then was looked at: after work that took
 * long, timers come before the network, and answers that lie there would be taken for late.
 */
export function afterLastLook(delayMs: number, giveUp: () => void): LastLook {
  let look: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    look = setImmediate(giveUp);
  }, delayMs);
  return {
    cancel() {
      clearTimeout(timer);
      clearImmediate(look);
    },
  };
}
