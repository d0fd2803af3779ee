import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receives the demonstration's webhooks on loopback, and accepts all of them; returns its origin. */
export async function startReceiver(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end());
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  // It ends with the process.
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
