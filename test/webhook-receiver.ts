import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface Received {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How a receiver responds to a request. */
export type Behaviour = (response: ServerResponse, received: Received) => void;

/** A receiver of webhooks on loopback that can misbehave. */
export interface Receiver {
  readonly origin: string;
  readonly url: string;
  /** In the order of arrival. */
  readonly received: readonly Received[];
  /** Open connections. */
  connections(): Promise<number>;
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

/** Accepts every request. */
export const accept: Behaviour = (response) => response.writeHead(200).end('thank you');

/** Starts a receiver; a closed one can be restarted on its port. */
export async function startReceiver(behaviour: Behaviour = accept, port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let behave = behaviour;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = { url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() };
      received.push(one);
      behave(response, one);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/hooks`,
    received,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
      ),
    behave(next) {
      behave = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
