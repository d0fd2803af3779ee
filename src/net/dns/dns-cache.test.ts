import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type DnsServer, startDnsServer } from '../../../test/dns-server.ts';
import type { DnsZone } from '../../../test/dns-zone.ts';
import { until } from '../../../test/eventually.ts';
import { createDns, type Dns } from './dns.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const old = { kind: 'records', records: ['192.0.2.1'] } as const;
const young = { kind: 'records', records: ['192.0.2.2'] } as const;

function zoneWith(address: string): DnsZone {
  return {
    'brief.test': { A: [address], TTL: 5 },
    'usual.test': { A: [address], TTL: 600 },
    'long.test': { A: [address], TTL: 90_000 },
    'soa.test': { SOA: { ttl: 500, minimum: 300 } },
    'plain.test': { SOA: null },
  };
}

let server: DnsServer;
let dns: Dns;
let skippedMs = 0;
/** Advances only when a test advances it, however long the test takes. */
const startMs = Date.now();
const now = () => startMs + skippedMs;
const within = (ms: number) => ({ atMs: now() + ms });
const asked = (name: string) => server.questions.get(`${name} A`) ?? 0;
const a = (name: string, ms = 20 * SECOND_MS) => dns.a(name, within(ms));

before(async () => {
  server = await startDnsServer(zoneWith('192.0.2.1'));
});
after(() => server.close());
beforeEach(() => {
  skippedMs = 0;
  server.questions.clear();
  server.setZone(zoneWith('192.0.2.1'));
  for (const name of ['brief.test', 'usual.test', 'long.test', 'fails.test', '*']) server.behave(name, 'normal');
  dns = createDns({ servers: [server.address], offline: false, now, questionMs: 700 });
});
afterEach(() => dns.close());

/** Waits until the query in progress, if any, has ended. */
async function pendingQueries(): Promise<void> {
  await until(() => dns.metrics().inFlight === 0);
  await new Promise((resolve) => setImmediate(resolve));
}

describe('a cached answer', () => {
  // A busy machine may answer late or send a packet twice: questions are counted, not packets, and none of them times out.
  beforeEach(() => {
    dns.close();
    dns = patientDns();
  });
  const patientDns = () => createDns({ servers: [server.address], offline: false, now, questionMs: 100 * SECOND_MS });
  const ask = (name: string) => dns.a(name, within(100 * SECOND_MS));
  const questions = () => dns.metrics().questions;

  it('a cached DNS answer is returned without a promise and without a question', async () => {
    await ask('usual.test');
    assert.deepEqual(ask('usual.test'), old);
    assert.deepEqual(ask('USUAL.test.'), old);
    assert.equal(questions(), 1);
    assert.equal(dns.metrics().hits, 2);
  });

  it('a DNS denial without an SOA record is not cached, because its TTL is unknown', async () => {
    for (const count of [1, 2]) {
      assert.deepEqual(await ask('plain.test'), { kind: 'none', missing: 'type', fleeting: true });
      assert.equal(questions(), count);
    }
    assert.equal(dns.metrics().entries, 0);
  });

  const lives: [string, number][] = [
    ['brief.test', 60],
    ['usual.test', 600],
    ['long.test', 3_600],
    ['soa.test', 300],
    ['missing.soa.test', 300],
  ];
  for (const [name, seconds] of lives) {
    it(`a cached DNS answer of ${name} is used for ${seconds} seconds and requested again after that`, async () => {
      const first = await ask(name);
      // Before the last tenth of its life, in which a hit refreshes it.
      skippedMs += 0.89 * seconds * SECOND_MS;
      assert.deepEqual(ask(name), first);
      skippedMs += 0.1 * seconds * SECOND_MS;
      assert.deepEqual(ask(name), first);
      await pendingQueries();
      assert.equal(questions(), 2);
      dns.close();
      dns = patientDns();
      await ask(name);
      skippedMs += (seconds + 1) * SECOND_MS;
      const again = ask(name);
      assert.ok(again instanceof Promise);
      await again;
      assert.equal(questions(), 2);
    });
  }

  it('a cached DNS answer is refreshed in the background in the last tenth of its life, by one question', async () => {
    await ask('usual.test');
    server.setZone(zoneWith('192.0.2.2'));
    skippedMs += 539 * SECOND_MS;
    assert.deepEqual(ask('usual.test'), old);
    assert.equal(dns.metrics().inFlight, 0);
    skippedMs += 2 * SECOND_MS;
    assert.deepEqual(ask('usual.test'), old);
    assert.deepEqual(ask('usual.test'), old);
    await pendingQueries();
    assert.equal(questions(), 2);
    assert.deepEqual(ask('usual.test'), young);
  });

  it('a cached DNS answer is requested again when the clock was set back', async () => {
    await ask('usual.test');
    skippedMs -= 48 * HOUR_MS;
    const again = ask('usual.test');
    assert.ok(again instanceof Promise);
    await again;
    assert.equal(questions(), 2);
  });
});

describe('a stale answer', () => {
  it('a stale DNS answer is not given while a newer one can be had', async () => {
    await a('usual.test');
    server.setZone(zoneWith('192.0.2.2'));
    skippedMs += 700 * SECOND_MS;
    assert.deepEqual(await a('usual.test'), young);
    assert.equal(dns.metrics().staleServed, 0);
  });

  it('a stale DNS answer is served for a day while queries fail, without waiting between two attempts', async () => {
    await a('usual.test');
    server.behave('usual.test', 'servfail');
    skippedMs += 700 * SECOND_MS;
    assert.deepEqual(await a('usual.test'), old);
    assert.deepEqual(a('usual.test'), old);
    assert.equal(asked('usual.test'), 2);
    assert.equal(dns.metrics().staleServed, 2);
    skippedMs += 23 * HOUR_MS;
    assert.deepEqual(await a('usual.test'), old);
    skippedMs += HOUR_MS;
    assert.deepEqual(await a('usual.test'), { kind: 'failed', reason: 'servfail' });
  });

  it('a stale DNS answer is given at the deadline when the servers are silent', async () => {
    await a('usual.test');
    server.behave('usual.test', 'silent');
    skippedMs += 700 * SECOND_MS;
    assert.deepEqual(await a('usual.test', 100), old);
  });

  it('a stale DNS answer is not served when a newer one arrives within the timeout of RFC 8767', async () => {
    dns = createDns({ servers: [server.address], offline: false, now, questionMs: 20 * SECOND_MS });
    await a('usual.test');
    server.setZone(zoneWith('192.0.2.2'));
    server.behave('usual.test', { slowMs: 200 });
    skippedMs += 700 * SECOND_MS;
    assert.deepEqual(await a('usual.test'), young);
    assert.equal(dns.metrics().staleServed, 0);
  });

  it('a stale DNS answer is served after the client response timeout of RFC 8767, long before the deadline, and the query continues', async () => {
    dns = createDns({ servers: [server.address], offline: false, now, questionMs: 20 * SECOND_MS });
    await a('usual.test');
    server.behave('usual.test', 'silent');
    skippedMs += 700 * SECOND_MS;
    assert.deepEqual(await a('usual.test', 60 * SECOND_MS), old);
    assert.equal(dns.metrics().inFlight, 1);
  });

  it('a stale DNS answer may also be the answer that there is no such record', async () => {
    await a('soa.test');
    server.behave('*', 'refused');
    skippedMs += 700 * SECOND_MS;
    assert.deepEqual(await a('soa.test'), { kind: 'none', missing: 'type' });
  });
});

describe('a failure', () => {
  const servfail = { kind: 'failed', reason: 'servfail' } as const;

  it('a failed DNS question is remembered 5, 10, 20, then 30 seconds while other names are answered', async () => {
    server.behave('fails.test', 'servfail');
    for (const [index, seconds] of [5, 10, 20, 30, 30].entries()) {
      assert.deepEqual(await a('fails.test'), servfail);
      assert.equal(asked('fails.test'), index + 1);
      await a(`other${index}.test`);
      skippedMs += (seconds - 1) * SECOND_MS;
      assert.deepEqual(a('fails.test'), servfail);
      skippedMs += SECOND_MS;
    }
  });

  it('a failed DNS question caused by silence is remembered for 10 seconds at most', async () => {
    server.behave('fails.test', 'silent');
    dns = createDns({ servers: [server.address], offline: false, now, questionMs: 400 });
    for (const seconds of [5, 10, 10, 10]) {
      assert.deepEqual(await a('fails.test'), { kind: 'failed', reason: 'timeout' });
      await a(`answered${skippedMs}.test`);
      skippedMs += (seconds - 1) * SECOND_MS;
      assert.deepEqual(a('fails.test'), { kind: 'failed', reason: 'timeout' });
      skippedMs += SECOND_MS;
    }
    assert.equal(dns.metrics().timeouts, 4);
  });

  it('a failed DNS question is remembered 5 seconds only, again and again, while nothing is answered', async () => {
    server.behave('*', 'servfail');
    server.behave('fails.test', 'servfail');
    for (let round = 1; round <= 4; round++) {
      assert.deepEqual(await a('fails.test'), servfail);
      assert.equal(asked('fails.test'), round);
      await a(`other${round}.test`);
      skippedMs += 5 * SECOND_MS;
    }
    server.behave('fails.test', 'normal');
    assert.deepEqual(await a('fails.test'), { kind: 'none', missing: 'name' });
  });

  it('a failed DNS question is cached briefly again after an answer in between', async () => {
    server.behave('brief.test', 'servfail');
    await a('brief.test');
    skippedMs += 5 * SECOND_MS;
    await a('other.test');
    await a('brief.test');
    server.behave('brief.test', 'normal');
    skippedMs += 10 * SECOND_MS;
    assert.deepEqual(await a('brief.test'), old);
    server.behave('brief.test', 'servfail');
    skippedMs += 61 * SECOND_MS;
    await a('brief.test');
    const before = asked('brief.test');
    skippedMs += 5 * SECOND_MS;
    await a('brief.test');
    assert.equal(asked('brief.test'), before + 1);
  });

  it('a DNS query refused because too many are in progress is not cached', async () => {
    dns = createDns({ servers: [server.address], offline: false, now, maxInFlight: 1, maxWaiting: 0 });
    const first = a('usual.test');
    assert.deepEqual(await a('long.test'), { kind: 'failed', reason: 'busy' });
    await first;
    assert.deepEqual(await a('long.test'), old);
  });
});

describe('single flight', () => {
  it('concurrent lookups of one cold DNS name share one query', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => a('usual.test')));
    assert.equal(answers.length, 200);
    for (const answer of answers) assert.deepEqual(answer, old);
    assert.equal(asked('usual.test'), 1);
    assert.deepEqual([dns.metrics().questions, dns.metrics().joined], [1, 199]);
  });

  it('lookups that share a DNS query each keep their own deadline, and the query continues for a later one', async () => {
    server.behave('usual.test', { slowMs: 250 });
    const patient = a('usual.test');
    const caller = new AbortController();
    const aborted = dns.a('usual.test', { ...within(20 * SECOND_MS), signal: caller.signal });
    assert.deepEqual(await a('usual.test', 50), { kind: 'failed', reason: 'timeout' });
    assert.deepEqual(await a('usual.test', 0), { kind: 'failed', reason: 'timeout' });
    caller.abort();
    assert.deepEqual(await aborted, { kind: 'failed', reason: 'timeout' });
    assert.deepEqual(await patient, old);
    assert.deepEqual(a('usual.test'), old);
    assert.equal(dns.metrics().questions, 1);
  });

  it('a shared DNS query ends at its own time limit although a lookup would wait longer', async () => {
    server.behave('usual.test', 'silent');
    assert.deepEqual(await a('usual.test'), { kind: 'failed', reason: 'timeout' });
    assert.equal(dns.metrics().inFlight, 0);
  });
});
