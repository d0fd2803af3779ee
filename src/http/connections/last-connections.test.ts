import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { exchangeRaw } from '../../../test/raw-http.ts';
import { createConnections } from './connections.ts';

const request = 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';

/** Stops a server in a process that then does not run for a while; clients connect before. */
async function stopInStall(stalledMs: number, connectClients: (port: number) => void): Promise<void> {
  const connections = createConnections(Date.now);
  const server = connections.listen((_request, response) => response.end('ok'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Timers are next, before connections are accepted.
  await nextIteration();
  connectClients((server.address() as AddressInfo).port);
  await new Promise<void>((resolve) => {
    // Sockets connect in the next tick; the kernel answers them without the process.
    process.nextTick(() => {
      connections.stop(resolve);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stalledMs);
    });
  });
}

/** Fails unless every client is answered. */
async function answersAll(clients: number, stalledMs: number): Promise<void> {
  let asked: Promise<string>[] = [];
  await stopInStall(stalledMs, (port) => {
    asked = Array.from({ length: clients }, () => exchangeRaw(port, request).whole);
  });
  for (const answer of asked) assert.match(await answer, /^HTTP\/1\.1 200 /);
}

describe('a server that stops', () => {
  it('a server that stops answers those who connected while its process did not run', () => answersAll(3, 150));

  it('a server that stops answers them also after longer than it waits for further connections', () =>
    answersAll(100, 1_100));

  it('a server that stops closes its port although clients never stop connecting', async () => {
    const { promise: refused, resolve } = Promise.withResolvers<unknown>();
    await stopInStall(1_100, (port) => {
      const connectAgain = (): void => {
        exchangeRaw(port, request).socket.on('connect', connectAgain).on('error', resolve);
      };
      connectAgain();
    });
    await refused;
  });
});
