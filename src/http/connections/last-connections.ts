import type { Server } from 'node:http';

/** Clients that were answered a moment ago have connected again by then, also on a machine that is busy. */
const quietMs = 100;
/** Connections that keep coming for longer are those of somebody who never stops connecting. */
const mostMs = 1_000;

/**
 * Stops listening when every connection that the kernel has taken for us is accepted and no more come: it resets those that are
 * left when the port closes, although their clients may have sent a request. Node accepts one in each round of the event loop.
 */
export function stopListening(server: Server, onStopped: () => void): void {
  const beganMs = performance.now();
  let lastMs = beganMs;
  const note = (): void => {
    lastMs = performance.now();
  };
  const look = (): void => {
    const nowMs = performance.now();
    if (nowMs - lastMs < quietMs && nowMs - beganMs < mostMs) {
      setTimeout(look, 1);
      return;
    }
    server.off('connection', note);
    server.close();
    onStopped();
  };
  server.on('connection', note);
  setTimeout(look, 1);
}
