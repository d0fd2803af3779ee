import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { eventually } from '../../../test/eventually.ts';
import { type Activity, isIdleTooLong } from './idle.ts';

const request = 'GET / HTTP/1.1\r\nHost: a.test\r\n\r\n';
/** More than the kernel buffers for a client that does not read. */
const large = 'x'.repeat(20_000_000);

/** A client, and the server's side of its connection. */
async function converse(t: TestContext, answer: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => {
    activity.response = response;
    answer(response);
  });
  const activity: Activity = { response: null, idle: null };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  const [socket] = (await once(server, 'connection')) as [Socket];
  t.after(() => {
    client.destroy();
    server.close();
  });
  return { client, socket, activity };
}

describe('a connection', () => {
  it('a connection may be idle for 72 seconds after a response, and as long again after the next', async (t) => {
    const { client, socket, activity } = await converse(t, (response) => response.end('ok'));
    assert.equal(isIdleTooLong(socket, activity, 0), false);
    assert.equal(isIdleTooLong(socket, activity, 500_000), false, 'other limits apply before the first request');
    client.write(request);
    await once(client, 'data');
    assert.equal(isIdleTooLong(socket, activity, 1_000_000), false);
    assert.equal(isIdleTooLong(socket, activity, 1_072_000), false);
    assert.equal(isIdleTooLong(socket, activity, 1_074_000), true);
    client.write(request);
    await once(client, 'data');
    assert.equal(isIdleTooLong(socket, activity, 1_074_000), false);
    assert.equal(isIdleTooLong(socket, activity, 1_146_000), false);
    assert.equal(isIdleTooLong(socket, activity, 1_148_000), true);
  });

  it('a connection is not idle while its next request arrives or is handled', async (t) => {
    let isOver = false;
    const { client, socket, activity } = await converse(t, (response) => {
      if (!isOver) response.end('ok');
    });
    client.write(request);
    await once(client, 'data');
    assert.equal(isIdleTooLong(socket, activity, 0), false);
    client.write('GET / HT');
    await eventually(async () => assert.ok(socket.bytesRead > request.length));
    assert.equal(isIdleTooLong(socket, activity, 80_000), false);
    isOver = true;
    client.write('TP/1.1\r\nHost: a.test\r\n\r\n');
    await eventually(async () => assert.equal(activity.response?.writableEnded, false));
    assert.equal(isIdleTooLong(socket, activity, 160_000), false);
    assert.equal(isIdleTooLong(socket, activity, 240_000), false);
    assert.equal(socket.timeout ?? 0, 0);
  });

  it('a connection whose client reads slowly has a timeout until the client has read its response', async (t) => {
    const { client, socket, activity } = await converse(t, (response) => response.end(large));
    client.pause();
    client.write(request);
    await eventually(async () => assert.ok(socket.writableLength > 0));
    assert.equal(isIdleTooLong(socket, activity, 0), false);
    assert.equal(socket.timeout, 7_000);
    client.resume();
    await eventually(async () => assert.equal(socket.writableLength, 0));
    assert.equal(isIdleTooLong(socket, activity, 100_000), false);
    assert.equal(socket.timeout, 0);
  });
});
