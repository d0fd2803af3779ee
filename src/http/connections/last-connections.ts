import type { Server } from 'node:http';

/** A client that was just answered has reconnected by then, also on a busy machine. */
const quietMs = 100;
/** After this time the port closes as soon as no connection is queued. */
const maxMs = 1_000;
/** The kernel queues at most so many connections for a server of Node. So many after `maxMs` come from clients that never stop. */
const maxQueued = 511;

/**
 * Stops listening once every connection in the kernel's queue is accepted and no more arrive: closing the port resets the queued
 * ones, although their clients may have sent a request. Node accepts one connection in each iteration of the event loop.
 */
export function stopListening(server: Server, onStopped: () => void): void {
  const startedMs = performance.now();
  let lastMs = startedMs;
  let checkedMs = startedMs;
  let late = 0;
  const note = (): void => {
    lastMs = performance.now();
    if (lastMs - startedMs >= maxMs) late += 1;
  };
  const isOver = (nowMs: number): boolean => {
    if (nowMs - startedMs < maxMs) return nowMs - lastMs >= quietMs;
    return lastMs < checkedMs || late > maxQueued;
  };
  const check = (nowMs: number): void => {
    if (!isOver(nowMs)) {
      checkedMs = nowMs;
      checkSoon();
      return;
    }
    server.off('connection', note);
    server.close();
    onStopped();
  };
  // A process that did not run for a while may have connections in its queue. Timers run before one is accepted, immediates after it.
  const checkSoon = () => setTimeout(() => setImmediate(check, performance.now()), 1);
  server.on('connection', note);
  checkSoon();
}
