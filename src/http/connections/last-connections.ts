import type { Server } from 'node:http';

/** The kernel has few connections that nobody has accepted; more rounds than this are somebody's who never stops connecting. */
const mostRounds = 5_000;

/**
 * Stops listening when every connection that the kernel has taken for us is accepted: it resets those that are left when the
 * port closes, although their clients may have sent a request. Node accepts one in each round of the event loop.
 */
export function stopListening(server: Server, onStopped: () => void): void {
  let accepted = 0;
  let rounds = 0;
  const count = (): void => {
    accepted += 1;
  };
  const look = (acceptedBefore: number): void => {
    rounds += 1;
    if (accepted > acceptedBefore && rounds < mostRounds) {
      setImmediate(look, accepted);
      return;
    }
    server.off('connection', count);
    server.close();
    onStopped();
  };
  server.on('connection', count);
  // The first round may have begun before this was asked for.
  setImmediate(() => setImmediate(look, accepted));
}
