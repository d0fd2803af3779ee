import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { closeSendingHalfOnly, stopParsing } from './node-internals.ts';

/** A client of a bare server. */
async function clientOf(t: TestContext, serve: RequestListener): Promise<Socket> {
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => {});
  t.after(() => {
    client.destroy();
    server.close();
  });
  await once(client, 'connect');
  return client;
}

describe('Node internals', () => {
  it('Node internals are those of the version that the tests run on', () => {
    assert.equal(process.versions.node.split('.')[0], '24', 'check src/http/connections/node-internals.ts');
  });

  it('stopParsing keeps requests that have arrived already from being read', async (t) => {
    const read: (string | undefined)[] = [];
    const client = await clientOf(t, ({ url, socket }) => {
      read.push(url);
      stopParsing(socket);
    });
    client.write(['/1', '/2', '/3'].map((path) => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`).join(''));
    while (read.length === 0) await nextIteration();
    await nextIteration();
    assert.deepEqual(read, ['/1']);
  });

  it('closeSendingHalfOnly lets a client finish its body after a response that closes the connection', async (t) => {
    let isLast = false;
    const bodyRead = Promise.withResolvers<boolean>();
    const client = await clientOf(t, (request, response) => {
      closeSendingHalfOnly(request.socket, () => {
        isLast = true;
      });
      response.prependListener('finish', () => {
        request.resume().once('end', () => {
          bodyRead.resolve(request.complete);
          request.socket.destroy();
        });
      });
      response.writeHead(413, { connection: 'close' }).end();
    });
    client.resume();
    client.write('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nab');
    await once(client, 'end');
    client.end('cd');
    assert.deepEqual([await bodyRead.promise, isLast], [true, true]);
  });
});
