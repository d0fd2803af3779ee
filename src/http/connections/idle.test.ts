import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { eventually } from '../../../test/eventually.ts';
import { hasRested, type Used } from './idle.ts';

const request = 'GET / HTTP/1.1\r\nHost: a.test\r\n\r\n';
/** More than the kernel takes for a client that does not read. */
const large = 'x'.repeat(20_000_000);

/** A client, and the server's side of its connection. */
async function converse(t: TestContext, answer: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => {
    used.response = response;
    answer(response);
  });
  const used: Used = { response: null, rest: null };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  const [socket] = (await once(server, 'connection')) as [Socket];
  t.after(() => {
    client.destroy();
    server.close();
  });
  return { client, socket, used };
}

describe('a connection', () => {
  it('a connection may rest for 72 seconds after an answer, and for as long again after the next', async (t) => {
    const { client, socket, used } = await converse(t, (response) => response.end('ok'));
    assert.equal(hasRested(socket, used, 0), false);
    assert.equal(hasRested(socket, used, 500_000), false, 'before its first request others see to it');
    client.write(request);
    await once(client, 'data');
    assert.equal(hasRested(socket, used, 1_000_000), false);
    assert.equal(hasRested(socket, used, 1_072_000), false);
    assert.equal(hasRested(socket, used, 1_074_000), true);
    client.write(request);
    await once(client, 'data');
    assert.equal(hasRested(socket, used, 1_074_000), false);
    assert.equal(hasRested(socket, used, 1_146_000), false);
    assert.equal(hasRested(socket, used, 1_148_000), true);
  });

  it('a connection does not rest while its next request is on the way, or its answer is made', async (t) => {
    let isOver = false;
    const { client, socket, used } = await converse(t, (response) => {
      if (!isOver) response.end('ok');
    });
    client.write(request);
    await once(client, 'data');
    assert.equal(hasRested(socket, used, 0), false);
    client.write('GET / HT');
    await eventually(async () => assert.ok(socket.bytesRead > request.length));
    assert.equal(hasRested(socket, used, 80_000), false);
    isOver = true;
    client.write('TP/1.1\r\nHost: a.test\r\n\r\n');
    await eventually(async () => assert.equal(used.response?.writableEnded, false));
    assert.equal(hasRested(socket, used, 160_000), false);
    assert.equal(hasRested(socket, used, 240_000), false);
    assert.equal(socket.timeout ?? 0, 0);
  });

  it('a connection whose client is slow to take its answer has a time limit for as long as that lasts', async (t) => {
    const { client, socket, used } = await converse(t, (response) => response.end(large));
    client.pause();
    client.write(request);
    await eventually(async () => assert.ok(socket.writableLength > 0));
    assert.equal(hasRested(socket, used, 0), false);
    assert.equal(socket.timeout, 7_000);
    client.resume();
    await eventually(async () => assert.equal(socket.writableLength, 0));
    assert.equal(hasRested(socket, used, 100_000), false);
    assert.equal(socket.timeout, 0);
  });
});
