import { connect, type Socket } from 'node:net';

/** A conversation over a plain TCP connection, for what no HTTP client would send. */
export interface RawConversation {
  readonly socket: Socket;
  /** Everything the server said, once it has closed the connection. */
  readonly whole: Promise<string>;
}

/** Sends bytes to a server on the loopback interface and listens until it hangs up; a stubborn client never closes its own half. */
export function speakRaw(port: number, text: string | Buffer, { isStubborn = false } = {}): RawConversation {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: isStubborn });
  // At once: a socket that is still connecting sends what it was given in order.
  socket.write(text);
  const { promise, resolve } = Promise.withResolvers<string>();
  let said = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    said += chunk;
  });
  // A reset is a way to hang up; what was said before it counts.
  socket.on('error', () => {});
  socket.on('close', () => resolve(said));
  return { socket, whole: promise };
}
