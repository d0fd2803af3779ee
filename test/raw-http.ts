import { connect, type Socket } from 'node:net';

/** A conversation over a plain TCP connection, for what no HTTP client would send. */
export interface RawConversation {
  readonly socket: Socket;
  /** Everything the server said, once it has closed the connection. */
  readonly whole: Promise<string>;
}

/** Sends bytes to a server on the loopback interface and listens until it hangs up. */
export function speakRaw(port: number, text: string | Buffer): RawConversation {
  const socket = connect(port, '127.0.0.1', () => socket.write(text));
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
