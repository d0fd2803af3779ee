import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { startDownloadServer } from '../../../test/download-server.ts';
import { until } from '../../../test/eventually.ts';
import { startRdapServer } from '../../../test/rdap-server.ts';
import { createGuardedHttp } from './guarded-http.ts';
import { GuardedHttpError } from './guarded-http-error.ts';

/** Far above anything a loopback answer needs, far below what the endless scenarios take. */
const limits = { timeoutMs: 10_000, maxBytes: 1024 * 1024 };
const closers: (() => unknown)[] = [];
after(async () => {
  for (const close of closers) await close();
});

const failsWith = (reason: string) => (error: unknown) => {
  assert.ok(error instanceof GuardedHttpError, String(error));
  assert.equal(error.reason, reason);
  return true;
};

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function clientFor(...allowOrigins: string[]) {
  const client = createGuardedHttp({ allowOrigins, offline: false });
  closers.push(() => client.close());
  return client;
}

/** A listener that no request may reach: it counts every connection. */
async function trap() {
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

describe('an answer', () => {
  it('an HTTP response has status, headers, body and URL, whatever the status', async () => {
    const origin = await listen((_, response) => response.writeHead(418, { 'x-kind': 'teapot' }).end('short'));
    const answer = await clientFor(origin).get(`${origin}/pot?a=1#top`, limits);
    assert.equal(answer.status, 418);
    assert.equal(answer.headers['x-kind'], 'teapot');
    assert.equal(answer.body.toString(), 'short');
    assert.equal(answer.url, `${origin}/pot?a=1#top`);
  });

  it('an HTTP answer is unpacked from gzip, deflate and brotli', async () => {
    const pack = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
    const origin = await listen((request, response) => {
      const encoding = (request.url ?? '').slice(1) as keyof typeof pack;
      response.writeHead(200, { 'content-encoding': encoding }).end(pack[encoding]('packed text'));
    });
    for (const encoding of Object.keys(pack)) {
      const answer = await clientFor(origin).get(`${origin}/${encoding}`, limits);
      assert.equal(answer.body.toString(), 'packed text', encoding);
    }
  });

  it('an HTTP answer that cannot be unpacked, or is packed in an unknown or stacked way, is refused', async () => {
    const bodies: Record<string, [string, Buffer]> = {
      '/garbage': ['gzip', Buffer.from('not gzip at all')],
      '/truncated': ['gzip', gzipSync('a'.repeat(10_000)).subarray(0, 20)],
      '/garbage-br': ['br', Buffer.from('\xff\xff\xff\xff not brotli', 'latin1')],
      '/unknown': ['zstd-x', Buffer.from('?')],
      '/stacked': ['gzip, gzip', gzipSync(gzipSync('twice'))],
    };
    const origin = await listen((request, response) => {
      const [encoding, body] = bodies[request.url ?? ''] ?? ['identity', Buffer.alloc(0)];
      response.writeHead(200, { 'content-encoding': encoding }).end(body);
    });
    for (const path of Object.keys(bodies)) {
      await assert.rejects(clientFor(origin).get(origin + path, limits), failsWith('bad_encoding'), path);
    }
  });

  it('an HTTP answer cut in the middle is a network failure, never a short body', async () => {
    const files = await startDownloadServer();
    closers.push(files.close);
    files.serve('/list', 'x'.repeat(50_000), 'cut');
    await assert.rejects(clientFor(files.origin).get(`${files.origin}/list`, limits), failsWith('network'));
  });

  it('an HTTP answer that is not HTTP, or has endless headers, is a network failure', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', (data) => {
        if (data.toString().startsWith('GET /junk')) return void socket.end('hello, this is not http\r\n\r\n');
        socket.write('HTTP/1.1 200 OK\r\n');
        const more = () => {
          while (!socket.destroyed && socket.write('x-filler: aaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(100)));
        };
        socket.on('drain', more);
        more();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => server.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await assert.rejects(clientFor(origin).get(`${origin}/junk`, limits), failsWith('network'));
    await assert.rejects(clientFor(origin).get(`${origin}/headers`, limits), failsWith('network'));
  });
});

describe('a kept connection', () => {
  it('a kept HTTP connection is used again, and replaced when the server closed it meanwhile', async () => {
    const perSocket = new Map<unknown, number>();
    const origin = await listen((request, response) => {
      const count = (perSocket.get(request.socket) ?? 0) + 1;
      perSocket.set(request.socket, count);
      if (count > 2) request.socket.destroy();
      else response.end('answer');
    });
    const client = clientFor(origin);
    for (let count = 0; count < 3; count++) {
      assert.equal((await client.get(origin, limits)).body.toString(), 'answer');
    }
    assert.deepEqual([...perSocket.values()], [3, 1]);
  });
});

describe('limits', () => {
  it('limits of HTTP requests stop a body that is too large while it is still being sent', async () => {
    const server = await startRdapServer();
    closers.push(server.close);
    server.behave('huge.test', { kind: 'huge' });
    await assert.rejects(
      clientFor(server.origin).get(`${server.origin}/domain/huge.test`, limits),
      failsWith('too_large'),
    );
    assert.ok(server.sentBytes() < 100 * 1024 * 1024, `the server could send ${server.sentBytes()} bytes`);
  });

  it('limits of HTTP requests stop a body whose announced length is too large', async () => {
    const origin = await listen((_, response) => response.writeHead(200, { 'content-length': 2 ** 31 }).flushHeaders());
    await assert.rejects(clientFor(origin).get(origin, limits), failsWith('too_large'));
  });

  it('limits of HTTP requests count unpacked bytes, so that a gzip bomb stops', async () => {
    const server = await startRdapServer();
    closers.push(server.close);
    server.behave('bomb.test', { kind: 'gzip_bomb' });
    await assert.rejects(
      clientFor(server.origin).get(`${server.origin}/domain/bomb.test`, limits),
      failsWith('too_large'),
    );
  });

  it('limits of HTTP requests end a request to a server that never answers, or drips', {
    timeout: 30_000,
  }, async () => {
    const server = await startRdapServer();
    closers.push(server.close);
    server.behave('silent.test', { kind: 'silent' });
    server.behave('drip.test', { kind: 'drip' });
    const client = clientFor(server.origin);
    for (const name of ['silent.test', 'drip.test']) {
      const asked = client.get(`${server.origin}/domain/${name}`, { ...limits, timeoutMs: 300 });
      await assert.rejects(asked, failsWith('timeout'), name);
    }
  });

  it('limits of HTTP requests end a request whose host name never resolves', { timeout: 30_000 }, async () => {
    const client = createGuardedHttp({ allowOrigins: [], offline: false, resolve: () => new Promise(() => {}) });
    await assert.rejects(client.get('http://slow.test/', { ...limits, timeoutMs: 100 }), failsWith('timeout'));
  });

  it('limits of HTTP requests end a request when the caller aborts, before or during it', {
    timeout: 30_000,
  }, async () => {
    const server = await startRdapServer();
    closers.push(server.close);
    server.behave('silent.test', { kind: 'silent' });
    const client = clientFor(server.origin);
    const url = `${server.origin}/domain/silent.test`;
    const caller = new AbortController();
    const asked = client.get(url, { ...limits, signal: caller.signal });
    const failed = assert.rejects(asked, failsWith('aborted'));
    await until(() => server.requests.has('/domain/silent.test'));
    caller.abort();
    await failed;
    await assert.rejects(client.get(url, { ...limits, signal: caller.signal }), failsWith('aborted'));
  });
});

describe('the address guard', () => {
  it('the address guard keeps a literal private address from being contacted', async () => {
    const listener = await trap();
    const client = clientFor();
    for (const host of ['127.0.0.1', 'localhost', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0']) {
      await assert.rejects(client.get(`http://${host}:${listener.port}/`, limits), failsWith('blocked_address'), host);
    }
    assert.equal(listener.connections(), 0);
  });

  it('the address guard checks the address that the connection itself resolved', async () => {
    const listener = await trap();
    let asked = 0;
    const resolve = () => {
      asked++;
      return Promise.resolve(['127.0.0.1']);
    };
    const client = createGuardedHttp({ allowOrigins: [], offline: false, resolve });
    await assert.rejects(client.get(`http://public.test:${listener.port}/`, limits), failsWith('blocked_address'));
    assert.equal(asked, 1);
    assert.equal(listener.connections(), 0);
  });

  it('the address guard holds at every redirect', async () => {
    const listener = await trap();
    const origin = await listen((request, response) => {
      const to = request.url === '/' ? '/again' : `http://127.0.0.1:${listener.port}/secret`;
      response.writeHead(302, { location: to }).end();
    });
    await assert.rejects(clientFor(origin).get(`${origin}/`, limits), failsWith('blocked_address'));
    assert.equal(listener.connections(), 0);
  });

  it('the address guard lets an exempt origin through by name and by redirect [D250]', async () => {
    const target = await listen((_, response) => response.end('there'));
    const port = new URL(target).port;
    const named = `http://inside.test:${port}`;
    const start = await listen((_, response) => response.writeHead(307, { location: `${named}/x` }).end());
    const resolve = () => Promise.resolve(['127.0.0.1']);
    const client = createGuardedHttp({ allowOrigins: [start, named], offline: false, resolve });
    closers.push(() => client.close());
    const answer = await client.get(start, limits);
    assert.equal(answer.body.toString(), 'there');
    assert.equal(answer.url, `${named}/x`);
  });
});

describe('redirects', () => {
  it('HTTP redirects are followed five times and no further', async () => {
    let requests = 0;
    const origin = await listen((request, response) => {
      requests++;
      const left = Number((request.url ?? '').slice(1));
      if (left === 0) response.end('arrived');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    assert.equal((await clientFor(origin).get(`${origin}/5`, limits)).body.toString(), 'arrived');
    requests = 0;
    await assert.rejects(clientFor(origin).get(`${origin}/99`, limits), failsWith('too_many_redirects'));
    assert.equal(requests, 6);
  });

  it('HTTP redirects carry the caller’s headers within the origin only', async () => {
    const seen: (string | undefined)[] = [];
    const other = await listen((request, response) => {
      seen.push(request.headers.authorization);
      response.end();
    });
    const origin = await listen((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(302, { location: request.url === '/' ? '/next' : other }).end();
    });
    await clientFor(origin, other).get(`${origin}/`, { ...limits, headers: { authorization: 'Bearer secret' } });
    assert.deepEqual(seen, ['Bearer secret', 'Bearer secret', undefined]);
  });

  it('HTTP redirects set no cookies', async () => {
    const cookies: unknown[] = [];
    const origin = await listen((request, response) => {
      cookies.push(request.headers.cookie);
      if (request.url === '/') response.writeHead(302, { location: '/b', 'set-cookie': 'a=b' }).end();
      else response.end();
    });
    await clientFor(origin).get(`${origin}/`, limits);
    assert.deepEqual(cookies, [undefined, undefined]);
  });
});

it('offline, no request leaves', async () => {
  const listener = await trap();
  const origin = `http://127.0.0.1:${listener.port}`;
  const client = createGuardedHttp({ allowOrigins: [origin], offline: true });
  await assert.rejects(client.get(origin, limits), failsWith('offline'));
  await assert.rejects(client.download(origin, '/nonexistent/file', limits), failsWith('offline'));
  assert.equal(listener.connections(), 0);
});

describe('a download', () => {
  async function setUp() {
    const dir = await mkdtemp(join(tmpdir(), 'download-'));
    const files = await startDownloadServer();
    closers.push(files.close, () => rm(dir, { recursive: true }));
    return { dir, file: join(dir, 'list.txt'), files, url: `${files.origin}/list`, client: clientFor(files.origin) };
  }

  it('a download replaces the file, reports its progress, and returns the entity tag', async () => {
    const { dir, file, files, url, client } = await setUp();
    await writeFile(file, 'old');
    files.serve('/list', 'new content');
    const progress: [number, number | null][] = [];
    const onProgress = (received: number, total: number | null) => progress.push([received, total]);
    const result = await client.download(url, file, { ...limits, onProgress });
    assert.ok(result.kind === 'saved' && result.bytes === 11 && result.etag !== null);
    assert.deepEqual(progress.at(-1), [11, 11]);
    assert.equal(await readFile(file, 'utf8'), 'new content');
    assert.deepEqual(await readdir(dir), ['list.txt']);
  });

  it('a download sends the known entity tag and keeps the file when nothing changed', async () => {
    const { file, files, url, client } = await setUp();
    files.serve('/list', 'content');
    const first = await client.download(url, file, limits);
    const etag = first.kind === 'saved' ? (first.etag ?? '') : '';
    assert.deepEqual(await client.download(url, file, { ...limits, etag }), { kind: 'not_modified' });
    files.serve('/list', 'changed');
    assert.equal((await client.download(url, file, { ...limits, etag })).kind, 'saved');
    assert.equal(await readFile(file, 'utf8'), 'changed');
  });

  it('a download unpacks what was packed for the way', async () => {
    const { file, files, url, client } = await setUp();
    files.serve('/list', 'content '.repeat(1_000), 'gzip');
    assert.equal((await client.download(url, file, limits)).kind, 'saved');
    assert.equal(await readFile(file, 'utf8'), 'content '.repeat(1_000));
  });

  it('a download that fails leaves the old file and nothing else', async () => {
    const { dir, file, files, url, client } = await setUp();
    await writeFile(file, 'old');
    files.serve('/list', 'x'.repeat(100_000), 'cut');
    await assert.rejects(client.download(url, file, limits), failsWith('network'));
    files.serve('/list', 'x'.repeat(100_000), 'error');
    await assert.rejects(client.download(url, file, limits), failsWith('bad_status'));
    files.serve('/list', 'x'.repeat(100_000), 'gzip');
    await assert.rejects(client.download(url, file, { ...limits, maxBytes: 99_999 }), failsWith('too_large'));
    assert.equal(await readFile(file, 'utf8'), 'old');
    assert.deepEqual(await readdir(dir), ['list.txt']);
  });

  it('a download into a folder that is not there is a disk failure, not a network one', async () => {
    const { dir, files, url, client } = await setUp();
    files.serve('/list', 'content');
    await assert.rejects(client.download(url, join(dir, 'no', 'list.txt'), limits), failsWith('disk'));
  });
});
