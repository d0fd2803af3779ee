import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { temporaryDirectory } from './engines.ts';
import { eventually } from './eventually.ts';
import { type Serving, serveSignalpost } from './signalpost-process.ts';

const megabyte = 1_048_576;
let service: Serving;
let port: number;
before(async () => {
  service = await serveSignalpost({ DATA_DIR: temporaryDirectory() });
  port = Number(new URL(service.url).port);
});
after(() => service.stop());

const refusals = () => {
  const authorization = `Authorization: Bearer ${service.keys.production}`;
  return [
    { status: 413, method: 'POST', path: '/blocklist', headers: [authorization] },
    { status: 401, method: 'POST', path: '/blocklist', headers: [] },
    { status: 404, method: 'POST', path: '/nowhere', headers: [authorization] },
    { status: 405, method: 'POST', path: '/status', headers: [authorization] },
  ];
};

/** Sends a whole request before it reads the response, as simple clients do; returns the response and how the connection ended. */
async function sendThenRead(head: readonly string[], body: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1').pause();
  const { promise: sent, resolve, reject } = Promise.withResolvers<void>();
  socket.once('error', reject);
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]), () => resolve());
  await sent;
  socket.resume();
  const [said] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return said.toString();
}

describe('a rejected body of 4 MB', () => {
  const body = Buffer.alloc(4 * megabyte, 'a');
  const chunked = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
  const ways = {
    'with its length': [`Content-Length: ${body.length}`],
    'in chunks': ['Transfer-Encoding: chunked'],
    'on a connection that closes': [`Content-Length: ${body.length}`, 'Connection: close'],
  };

  for (const [way, announced] of Object.entries(ways)) {
    it(`a rejected body of 4 MB ${way} gets its response every time, even when the client sends all of it first`, async () => {
      for (const { status, method, path, headers } of refusals()) {
        const head = [
          `${method} ${path} HTTP/1.1`,
          'Host: h',
          'Content-Type: application/json',
          ...headers,
          ...announced,
        ];
        for (let count = 0; count < 20; count += 1) {
          const said = await sendThenRead(head, way === 'in chunks' ? chunked : body);
          assert.match(said, new RegExp(`^HTTP/1\\.1 ${status} `), `${path}, attempt ${count}`);
        }
      }
    });
  }

  it('a rejected body of 4 MB gets its response through curl every time, with and without "Expect: 100-continue"', async () => {
    const file = join(temporaryDirectory(), 'body');
    writeFileSync(file, body);
    const run = promisify(execFile);
    for (const { status, path, headers } of refusals()) {
      for (const expect of ['Expect:', 'Expect: 100-continue']) {
        for (let count = 0; count < 5; count += 1) {
          const fields = [...headers, expect, 'Content-Type: application/json'].flatMap((field) => ['-H', field]);
          const words = ['-sS', '-o', '/dev/null', '-w', '%{http_code}', '--data-binary', `@${file}`, ...fields];
          const { stdout } = await run('curl', [...words, `${service.url}${path}`]);
          assert.equal(stdout, String(status), `${path} ${expect}, attempt ${count}`);
        }
      }
    }
  });
});

describe('an upload', () => {
  it('the service does not read an upload without a key to its end', async () => {
    const socket = connect(port, '127.0.0.1').pause();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    socket.on('error', () => {}).on('close', () => resolve());
    socket.write(`POST /blocklist HTTP/1.1\r\nHost: h\r\nContent-Length: ${1_000 * megabyte}\r\n\r\n`);
    const piece = Buffer.alloc(megabyte, 'a');
    let written = 0;
    while (!socket.destroyed && written < 100) {
      const { promise: sent, resolve: next } = Promise.withResolvers<void>();
      socket.write(piece, () => next());
      await Promise.race([sent, closed]);
      written += 1;
    }
    assert.ok(written < 40, `${written} MB were read`);
  });

  it('an upload that its client aborts is not reported as a failure in the log or the metrics', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    const head = ['POST /blocklist HTTP/1.1', 'Host: h', `Authorization: Bearer ${service.keys.production}`];
    socket.write(`${[...head, 'Content-Length: 1000'].join('\r\n')}\r\n\r\n{"domain":`);
    await eventually(async () => assert.ok(socket.bytesWritten > 0));
    socket.resetAndDestroy();
    await eventually(async () => {
      const metrics = await (await fetch(`${service.url}/metrics`)).text();
      assert.match(metrics, /^signalpost_requests_total\{operation="addToBlocklist",status="400"\} 1$/m);
      assert.doesNotMatch(metrics, /status="5/);
    });
    assert.doesNotMatch(service.stderr(), /request failed/);
  });

  it('an accepted upload gets 100 Continue when its client waits for it, and a rejected one does not', async () => {
    const ask = async (headers: readonly string[], length: number): Promise<string> => {
      const socket = connect(port, '127.0.0.1');
      const head = ['POST /blocklist HTTP/1.1', 'Host: h', `Content-Length: ${length}`, 'Expect: 100-continue'];
      socket.write(`${[...head, ...headers].join('\r\n')}\r\n\r\n`);
      const [said] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return said.toString().split('\r\n')[0] ?? '';
    };
    const key = `Authorization: Bearer ${service.keys.production}`;
    assert.equal(await ask([key], 20), 'HTTP/1.1 100 Continue');
    assert.equal(await ask([key], 2 * megabyte), 'HTTP/1.1 413 Payload Too Large');
    assert.equal(await ask([], 20), 'HTTP/1.1 401 Unauthorized');
  });
});
