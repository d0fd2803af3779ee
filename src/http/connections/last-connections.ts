import type { Server } from 'node:http';

/** A client that was just answered has reconnected by then, also on a busy machine. */
const quietMs = 100;
/** Clients that connect for longer than this never stop connecting. */
const maxMs = 1_000;

/**
 * Stops listening once every connection in the kernel's queue is accepted and no more arrive: closing the port resets the queued
 * ones, although their clients may have sent a request. Node accepts one connection in each iteration of the event loop.
 */
export function stopListening(server: Server, onStopped: () => void): void {
  const startedMs = performance.now();
  let lastMs = startedMs;
  const note = (): void => {
    lastMs = performance.now();
  };
  const check = (): void => {
    const nowMs = performance.now();
    if (nowMs - lastMs < quietMs && nowMs - startedMs < maxMs) {
      setTimeout(check, 1);
      return;
    }
    server.off('connection', note);
    server.close();
    onStopped();
  };
  server.on('connection', note);
  setTimeout(check, 1);
}
