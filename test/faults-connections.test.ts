import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from './engines.ts';
import { type Serving, serveSignalpost } from './signalpost-process.ts';

const connections = 2_000;

describe('a service with many connections', () => {
  let service: Serving;
  let port: number;
  const sockets: Socket[] = [];
  before(async () => {
    service = await serveSignalpost({ DATA_DIR: temporaryDirectory() });
    port = Number(new URL(service.url).port);
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await service.stop();
  });

  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    sockets.push(socket);
    await once(socket, 'connect');
    // The wait for a response reports the end of the connection.
    socket.on('error', () => {});
    return socket;
  };
  const request = (close: boolean) =>
    `GET /status HTTP/1.1\r\nHost: h\r\nAuthorization: ${service.keys.production}\r\n${close ? 'Connection: close\r\n' : ''}\r\n`;
  /** The status line of the next response; empty when the connection ends without one. */
  const statusLine = async (socket: Socket): Promise<string> => {
    const ended = once(socket, 'close').then(() => ['']);
    const [text] = await Promise.race([once(socket, 'data'), ended]);
    return String(text).split('\r\n')[0] ?? '';
  };

  it(`a service with many connections answers ${connections} concurrent connections that all send requests together, twice [Q47]`, async () => {
    const all = await Promise.all(Array.from({ length: connections }, open));
    for (const isLast of [false, true]) {
      const answers = all.map(statusLine);
      for (const socket of all) socket.write(request(isLast));
      const lines = await Promise.all(answers);
      assert.deepEqual(
        lines.filter((line) => line !== 'HTTP/1.1 200 OK'),
        [],
      );
    }
  });

  it('a service with many connections serves other clients while hundreds send their headers byte by byte [Q48]', async () => {
    const slow = await Promise.all(Array.from({ length: 500 }, open));
    for (const byte of request(false).slice(0, 40)) {
      for (const socket of slow) socket.write(byte);
      assert.equal(await service.statusWith(service.keys.production ?? ''), 200);
    }
  });
});
