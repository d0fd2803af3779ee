import { connect, type Socket } from 'node:net';

/** An exchange over a plain TCP connection, for requests that no HTTP client would send. */
export interface RawExchange {
  readonly socket: Socket;
  /** Everything the server sent, once it has closed the connection. */
  readonly whole: Promise<string>;
}

/** Sends bytes to a server on loopback and reads until it disconnects; a stubborn client never closes its own half. */
export function exchangeRaw(port: number, text: string | Buffer, { isStubborn = false } = {}): RawExchange {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: isStubborn });
  // Written immediately: a connecting socket queues its data in order.
  socket.write(text);
  const { promise, resolve } = Promise.withResolvers<string>();
  let said = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    said += chunk;
  });
  // A reset is one way to disconnect; data before it counts.
  socket.on('error', () => {});
  socket.on('close', () => resolve(said));
  return { socket, whole: promise };
}
