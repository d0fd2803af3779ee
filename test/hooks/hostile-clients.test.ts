import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '../engines.ts';
import { eventually } from '../eventually.ts';
import { authServers, type WireHook } from '../hook-caller.ts';
import { exchangeRaw } from '../raw-http.ts';
import { type Serving, serveSignalpost } from '../signalpost-process.ts';

const maxBodyBytes = 262_144;
type Created = { readonly data: WireHook & { readonly secret: string } };

let service: Serving;
let port: number;
let hook: Created['data'];
let other: Created['data'];
let supabase: Created['data'];
before(async () => {
  service = await serveSignalpost({
    DATA_DIR: temporaryDirectory(),
    NODE_OPTIONS: '--max-old-space-size=256',
    IP_BLOCK_LOOPBACK: 'true',
  });
  port = Number(new URL(service.url).port);
  const { data: gate } = await service.call<{ data: { id: string } }>('POST', '/v1/gates', { name: 'Sign-up' });
  const create = async (format: string) =>
    (await service.call<Created>('POST', '/v1/hooks', { name: format, gate_id: gate.id, format })).data;
  [hook, other, supabase] = [await create('generic'), await create('generic'), await create('supabase')];
});
after(async () => {
  const { code, stderr } = await service.stop();
  assert.equal(code, 0, stderr);
});

const headOf = (id: string, ...headers: string[]): string =>
  [`POST /hooks/${id} HTTP/1.1`, 'Host: h', ...headers, '', ''].join('\r\n');
const bearer = (secret: string): string => `Authorization: Bearer ${secret}`;
const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d+) /.exec(text)?.[1]);
/** Sends one request and returns the status of its response. */
const send = async (head: string, body: string | Buffer = ''): Promise<number> => {
  const { socket, whole } = exchangeRaw(port, head.replace('Host: h', 'Host: h\r\nConnection: close'));
  socket.write(body);
  return statusOf(await whole);
};
/** A sign-up that must work while others misbehave. */
const signUp = async (): Promise<void> => {
  const body = JSON.stringify({ email: 'jane@example.com' });
  assert.equal(await send(headOf(hook.id, bearer(hook.secret), `Content-Length: ${body.length}`), body), 200);
};

describe('a hostile caller of hooks', () => {
  it('a hostile caller of unknown ids gets 404 for each, whatever they are, and costs the address nothing', async () => {
    const ids = ['x', '%00', '%2e%2e%2f', '..%2Fstatus', hook.id.toUpperCase(), `${hook.id}x`, 'é'.repeat(200), "'--"];
    for (const id of ids) assert.equal(await send(headOf(encodeURI(decodeURI(id)), 'Content-Length: 0')), 404, id);
    const flood = Array.from({ length: 400 }, (_, index) => send(headOf(`01${index}`, 'Content-Length: 0')));
    assert.deepEqual(new Set(await Promise.all(flood)), new Set([404]));
    assert.equal(await service.statusWith(service.keys.production ?? ''), 200);
    await signUp();
  });

  it('a hostile caller without a signature is rejected before its body is sent, 1,000 times, and good calls work among them [H7 H20]', async () => {
    // The body never comes: a response proves that the service did not wait for it.
    const head = headOf(hook.id, 'Content-Length: 100000000');
    for (let round = 0; round < 10; round += 1) {
      const flood = Array.from({ length: 100 }, () => send(head));
      await signUp();
      assert.deepEqual(new Set(await Promise.all(flood)), new Set([401]));
    }
    const unknown = headOf('01unknown', 'Content-Length: 100000000');
    assert.equal(await send(unknown), 404);
    assert.equal(await service.statusWith(service.keys.production ?? ''), 200);
  });

  it('a hostile caller with a body of more than 262,144 bytes gets 413, announced or not [H8]', async () => {
    const authorized = bearer(hook.secret);
    const filled = (bytes: number): string => {
      const empty = JSON.stringify({ email: 'jane@example.com', filling: '' });
      return empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`);
    };
    const sized = (bytes: number) => send(headOf(hook.id, authorized, `Content-Length: ${bytes}`), filled(bytes));
    assert.equal(await sized(maxBodyBytes), 200);
    assert.equal(await sized(maxBodyBytes + 1), 413);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const chunked = headOf(hook.id, authorized, 'Transfer-Encoding: chunked');
    assert.equal(await send(chunked, `${chunk.repeat(5)}0\r\n\r\n`), 413);
    const parallel = Array.from({ length: 20 }, () => send(chunked, chunk.repeat(8)));
    assert.deepEqual(new Set(await Promise.all(parallel)), new Set([413]));
    await signUp();
  });

  it('hostile callers that send their bodies byte by byte on 200 connections are disconnected, and good calls work meanwhile', async () => {
    const head = headOf(hook.id, bearer(hook.secret), 'Content-Length: 1000');
    const slow = Array.from({ length: 200 }, () => exchangeRaw(port, head, { isStubborn: true }));
    const drip = setInterval(() => {
      for (const { socket } of slow) if (socket.writable) socket.write('x');
    }, 500);
    try {
      await signUp();
      await eventually(async () => assert.ok(slow.every(({ socket }) => socket.destroyed)));
    } finally {
      clearInterval(drip);
      for (const { socket } of slow) socket.destroy();
    }
    await signUp();
  });

  it('secrets of another hook and API keys open no hook, and the secret of a hook opens nothing else [H38]', async () => {
    const body = JSON.stringify({ email: 'jane@example.com' });
    const length = `Content-Length: ${body.length}`;
    for (const secret of [other.secret, supabase.secret, service.keys.production ?? '', '', `${hook.secret}x`])
      assert.equal(await send(headOf(hook.id, bearer(secret), length), body), 401, secret);
    assert.equal(await service.statusWith(hook.secret), 401);
    const signed = authServers.supabase?.({ email: 'jane@example.com' }, hook.secret, Date.now());
    assert.ok(signed);
    const headers = Object.entries(signed.headers).map(([name, value]) => `${name}: ${value}`);
    const sent = headOf(supabase.id, ...headers, `Content-Length: ${signed.body.length}`);
    assert.equal(await send(sent, signed.body), 401);
  });

  it('duplicated and odd headers of a call never make a wrong secret right', async () => {
    const body = JSON.stringify({ email: 'jane@example.com' });
    const length = `Content-Length: ${body.length}`;
    const call = (...headers: string[]) => send(headOf(hook.id, ...headers, length), body);
    const right = bearer(hook.secret);
    assert.equal(await call(bearer('wrong'), right), 401);
    assert.equal(await call('Authorization: Bearer', right), 401);
    assert.equal(await call('Authorization:'), 401);
    assert.equal(await call(bearer('x'.repeat(15_000))), 401);
    assert.equal(await call(bearer('x'.repeat(20_000))), 431);
    assert.equal(await call(right, 'Content-Length: 5'), 400);
    assert.equal(await call(right, 'Transfer-Encoding: chunked'), 400);
    assert.equal(await call(right, 'X-Forwarded-For: 1, 2', 'X-Forwarded-For: %00'), 200);
    const signed = authServers.supabase?.({ email: 'jane@example.com' }, supabase.secret, Date.now());
    assert.ok(signed);
    const lines = Object.entries(signed.headers).map(([name, value]) => `${name}: ${value}`);
    const sign = (...more: string[]) =>
      send(headOf(supabase.id, ...lines, ...more, `Content-Length: ${signed.body.length}`), signed.body);
    assert.equal(await sign(), 200);
    assert.equal(await sign('webhook-id: other'), 401);
    assert.equal(await sign('webhook-timestamp: 1'), 401);
  });
});
