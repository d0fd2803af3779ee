import type { Socket } from 'node:net';

/**
 * The only reliance on undocumented parts of Node. The tests of this file hold for this major version; with another one the
 * functions do nothing, and the service works without them.
 */
const testedMajor = 24;
const isTested = Number.parseInt(process.versions.node, 10) === testedMajor;

/**
 * Stops Node's parser from making requests of bytes that have arrived already. Without it, a client that was disconnected still
 * costs the parsing of up to 64 KB. The parser takes 2 for "what follows is not HTTP".
 */
export function stopParsing(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming: () => number } | null };
  if (isTested && parser) parser.onIncoming = () => 2;
}

/**
 * Node closes both halves of a connection after a response with `Connection: close`. This closes the sending half only, so that a
 * client which is still sending can read the response; without it, such a client sees a reset. `onLast` runs when Node would have
 * closed the connection. Returns how to undo it.
 */
export function closeSendingHalfOnly(socket: Socket, onLast: () => void): () => void {
  if (!isTested) return () => {};
  socket.destroySoon = () => {
    onLast();
    socket.end();
  };
  return () => Reflect.deleteProperty(socket, 'destroySoon');
}
