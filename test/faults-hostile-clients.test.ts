import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from './engines.ts';
import { eventually } from './eventually.ts';
import { exchangeRaw } from './raw-http.ts';
import { type Serving, serveSignalpost } from './signalpost-process.ts';

let service: Serving;
let port: number;
before(async () => {
  service = await serveSignalpost({ DATA_DIR: temporaryDirectory(), NODE_OPTIONS: '--max-old-space-size=512' });
  port = Number(new URL(service.url).port);
});
after(async () => {
  const { code, stderr } = await service.stop();
  assert.equal(code, 0, stderr);
});

const othersAreServed = async () => assert.equal(await service.statusWith(service.keys.production ?? ''), 200);
const open = async (at = port): Promise<Socket> => {
  const socket = connect(at, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
};

describe('a hostile client', { concurrency: true }, () => {
  for (const path of ['/openapi.json', '/metrics']) {
    it(`a hostile client that pipelines 1,600 requests for ${path} on six connections and reads nothing is disconnected, and others are served`, async () => {
      const sockets = await Promise.all(Array.from({ length: 6 }, () => open()));
      for (const socket of sockets) {
        socket.pause();
        socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`.repeat(1_600));
      }
      await eventually(async () => {
        await othersAreServed();
        for (const socket of sockets) {
          // A client that does not read detects the end of its connection only by writing.
          socket.write('GET');
          assert.ok(socket.destroyed);
        }
      }, 40_000);
      assert.equal(service.child.exitCode, null);
    });
  }

  it('a hostile client that sends headers byte by byte on 200 connections gets 408 on each, and none keeps its descriptor', async () => {
    const unfinished = 'GET /status HTTP/1.1\r\nHost: h\r\nX: ';
    const slow = Array.from({ length: 200 }, () => exchangeRaw(port, unfinished, { isStubborn: true }));
    const drip = setInterval(() => {
      for (const { socket } of slow) if (socket.writable) socket.write('a');
    }, 500);
    // Only the server closes: these clients keep their half open and continue to write.
    await eventually(async () => assert.ok(slow.every(({ socket }) => socket.destroyed)));
    const said = await Promise.all(slow.map(({ whole }) => whole));
    clearInterval(drip);
    assert.deepEqual(
      said.filter((text) => !text.startsWith('HTTP/1.1 408 ')),
      [],
    );
    await othersAreServed();
  });
});

describe('a hundred clients that pipeline 1,600 requests each and read nothing', () => {
  it('a hundred clients that pipeline 1,600 requests each and read nothing get a few thousand responses in total, and others are served meanwhile [Q68]', async (t) => {
    const own = await serveSignalpost({ DATA_DIR: temporaryDirectory() });
    t.after(() => own.stop());
    const sockets = await Promise.all(Array.from({ length: 100 }, () => open(Number(new URL(own.url).port))));
    for (const socket of sockets) {
      socket.pause();
      // The cheapest responses: hundreds of them fit into the buffers of a connection that its client does not read.
      socket.write('GET /v0/nothing HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(1_600));
    }
    let answers = 0;
    await eventually(async () => {
      const text = await (await fetch(`${own.url}/metrics`)).text();
      const before = answers;
      answers = Number(/^signalpost_requests_total\{operation="unknown",status="404"\} (\d+)$/m.exec(text)?.[1] ?? 0);
      assert.equal(await own.statusWith(own.keys.production ?? ''), 200);
      assert.ok(answers > 0 && answers === before, `${answers} answers so far`);
    }, 60_000);
    assert.ok(answers < 10_000, `${answers} of 160,000`);
    for (const socket of sockets) socket.destroy();
  });
});

describe('a client that pipelines and reads', () => {
  it('a client that pipelines and reads gets every response, in order', async () => {
    const requests = Array.from({ length: 1_000 }, (_, index) => `GET /v0/${index} HTTP/1.1\r\nHost: h\r\n\r\n`);
    const last = 'GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';
    const said = await exchangeRaw(port, requests.join('') + last).whole;
    const routes = [...said.matchAll(/Route GET:\/v0\/(\d+) not found/g)].map(([, index]) => Number(index));
    assert.deepEqual(routes, [...requests.keys()]);
    assert.match(said, /\{"status":"ok"\}$/);
  });
});

describe('a stop', () => {
  it('a stop is not delayed by clients that never finish a request or never read, and /readyz reports it immediately', async () => {
    const own = await serveSignalpost({ DATA_DIR: temporaryDirectory(), DRAIN_MS: '2000' });
    const ownPort = Number(new URL(own.url).port);
    const slow = Array.from({ length: 50 }, () => exchangeRaw(ownPort, 'GET /status HTTP/1.1\r\nHost: h\r\nX: '));
    const deaf = exchangeRaw(ownPort, 'GET /openapi.json HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(300));
    deaf.socket.pause();
    assert.equal((await fetch(`${own.url}/readyz`)).status, 200);
    own.child.kill('SIGTERM');
    await eventually(async () => {
      const { status, headers } = await fetch(`${own.url}/readyz`);
      assert.deepEqual([status, headers.get('retry-after')], [503, null]);
    }, 1_500);
    assert.equal((await fetch(`${own.url}/healthz`)).status, 200);
    const { code, stderr } = await own.finished;
    assert.equal(code, 0);
    assert.doesNotMatch(stderr, /stopping took too long/);
    for (const { socket } of [...slow, deaf]) socket.destroy();
  });
});
