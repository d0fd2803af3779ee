export interface Timeout {
  cancel(): void;
}

/**
 * Calls `onTimeout` after a delay, but only after the event loop has polled for I/O: after a long synchronous task, Node
 * runs timers first, and responses that have already arrived would count as late.
 */
export function timeoutAfterIo(delayMs: number, onTimeout: () => void): Timeout {
  let poll: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    poll = setImmediate(onTimeout);
  }, delayMs);
  return {
    cancel() {
      clearTimeout(timer);
      clearImmediate(poll);
    },
  };
}
