import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { type DnsServer, startDnsServer } from '../../../test/dns-server.ts';
import { retainedHeapBytes } from '../../../test/retained-heap.ts';
import { createDns, createOfflineDns } from './dns.ts';

const largeTexts = Array.from({ length: 20 }, (_, index) => `${index} ${'x'.repeat(1_000)}`);

let server: DnsServer;
before(async () => {
  server = await startDnsServer({
    'example.com': { MX: [[10, 'mx.example.com']], A: ['192.0.2.1'], AAAA: ['2001:db8::1'] },
    'large.test': { TXT: largeTexts },
    '_dmarc.example.com': { TXT: ['v=DMARC1; p=none'] },
  });
});
after(() => server.close());

const deadline = () => ({ atMs: Date.now() + 20_000 });
const online = () => createDns({ servers: [server.address], offline: false, now: Date.now });

describe('the DNS client', () => {
  it('the DNS client answers every kind of question a signal has', async () => {
    const dns = online();
    const records = [
      await dns.mx('example.com', deadline()),
      await dns.txt('_dmarc.example.com', deadline()),
      await dns.a('example.com', deadline()),
      await dns.aaaa('example.com', deadline()),
    ].map((answer) => (answer.kind === 'records' ? answer.records : answer));
    assert.deepEqual(records, [
      [{ hostname: 'mx.example.com', priority: 10 }],
      ['v=DMARC1; p=none'],
      ['192.0.2.1'],
      ['2001:db8::1'],
    ]);
  });

  const names: [string, string, 'none' | 'failed'][] = [
    ['has an empty label', 'a..example.com', 'none'],
    ['starts with a dot', '.example.com', 'none'],
    ['has a label of 64 characters', `${'a'.repeat(64)}.com`, 'none'],
    ['has 254 characters', `${'a.'.repeat(125)}test`, 'none'],
    ['is empty', '', 'failed'],
    ['is the root', '.', 'failed'],
    ['is not ASCII', 'm\u00fcller.example', 'failed'],
    ['has a space', 'a b.example', 'failed'],
    ['has a zero byte', 'a\0.example', 'failed'],
  ];
  for (const [what, name, kind] of names) {
    it(`the DNS client sends no query for a name that ${what}`, async () => {
      const dns = online();
      assert.equal((await dns.mx(name, deadline())).kind, kind);
      assert.equal(dns.metrics().questions, 0);
    });
  }

  it('the DNS client queries a name of 253 characters', async () => {
    const dns = online();
    assert.deepEqual(await dns.a(`${'a.'.repeat(124)}a.com`, deadline()), { kind: 'none', missing: 'name' });
    assert.equal(dns.metrics().questions, 1);
  });

  it('the DNS client never throws, whatever the name', async () => {
    const dns = online();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ maxLength: 80 })),
        async (name) => {
          assert.notEqual((await dns.a(name, deadline())).kind, 'records');
        },
      ),
    );
  });

  it('the DNS client refuses servers that are no addresses', () => {
    assert.throws(() => createDns({ servers: ['dns.example'], offline: false, now: Date.now }), /dns\.example/);
    assert.throws(() => createDns({ servers: [], offline: false, now: Date.now }), /No DNS server is configured/);
  });

  it("the DNS client uses the system's servers by default", () => {
    assert.doesNotThrow(() => createDns({ servers: null, offline: false, now: Date.now }).close());
  });

  it('the DNS client returns an answer that is too large to cache, and queries it again', async () => {
    const dns = online();
    for (const count of [1, 2]) {
      assert.deepEqual(await dns.txt('large.test', deadline()), { kind: 'records', records: largeTexts });
      assert.equal(dns.metrics().questions, count);
    }
    assert.equal(dns.metrics().bytes, 0);
    dns.close();
  });

  it('the DNS client remembers a name, not the record it was cut from', async () => {
    const dns = online();
    const bytes = await retainedHeapBytes(async () => {
      for (let index = 0; index < 400; index++) {
        const record = `v=spf1 unknown=${'x'.repeat(50_000)} include:name-${index}.example.com -all`;
        await dns.txt(record.slice(record.indexOf('name-'), -5), deadline());
      }
    });
    assert.ok(bytes < 10_000_000);
    assert.equal(dns.metrics().entries, 400);
    dns.close();
  });

  it('closing the DNS client aborts the queries in progress', async () => {
    server.behave('silent.test', 'silent');
    const dns = online();
    const asked = dns.a('silent.test', deadline());
    dns.close();
    assert.deepEqual(await asked, { kind: 'failed', reason: 'timeout' });
    assert.equal(dns.metrics().inFlight, 0);
  });
});

describe('offline', () => {
  it('offline DNS answers unknown immediately and sends no query', () => {
    for (const dns of [createOfflineDns(), createDns({ servers: [server.address], offline: true, now: Date.now })]) {
      for (const ask of [dns.mx, dns.txt, dns.a, dns.aaaa]) {
        assert.deepEqual(ask('offline.test', deadline()), { kind: 'failed', reason: 'offline' });
      }
      assert.equal(dns.metrics().questions, 0);
      dns.close();
    }
    assert.equal(server.questions.has('offline.test A'), false);
  });
});

describe('ten thousand concurrent cold names', () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `n${index}.example.com`);

  it('ten thousand concurrent lookups of cold DNS names are all answered within the limit of concurrent queries', async () => {
    const options = { servers: [server.address], offline: false, now: Date.now, questionMs: 60_000 };
    const dns = createDns({ ...options, maxInFlight: 200, maxWaiting: 10_000, maxEntries: 1_000 });
    let most = 0;
    const answers = names.map(async (name) => {
      const answer = await dns.mx(name, { atMs: Date.now() + 60_000 });
      most = Math.max(most, dns.metrics().inFlight);
      return answer;
    });
    for (const answer of await Promise.all(answers)) assert.deepEqual(answer, { kind: 'none', missing: 'name' });
    assert.ok(most <= 200);
    const { inFlight, waiting, entries } = dns.metrics();
    assert.deepEqual({ inFlight, waiting, entries }, { inFlight: 0, waiting: 0, entries: 1_000 });
  });

  it('ten thousand concurrent lookups of cold DNS names all fail while the server is silent, and release every slot', async () => {
    server.behave('*', 'silent');
    const options = { servers: [server.address], offline: false, now: Date.now, questionMs: 500 };
    const dns = createDns({ ...options, maxInFlight: 200, maxWaiting: 400 });
    const answers = await Promise.all(names.map((name) => dns.mx(`silent-${name}`, deadline())));
    server.behave('*', 'normal');
    const reasons = answers.map((answer) => (answer.kind === 'failed' ? answer.reason : answer.kind));
    assert.deepEqual([...new Set(reasons)].sort(), ['busy', 'timeout']);
    assert.ok(reasons.filter((reason) => reason === 'busy').length >= 9_400);
    const { inFlight, waiting, entries } = dns.metrics();
    assert.deepEqual([inFlight, waiting], [0, 0]);
    assert.ok(entries <= 600);
  });
});
