import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as dnsPacket from 'dns-packet';
import fc from 'fast-check';
import { FORGED_ADDRESS, FORGED_HOST } from '../../../test/dns-behaviour.ts';
import { type DnsServer, startDnsServer } from '../../../test/dns-server.ts';
import type { DnsZone } from '../../../test/dns-zone.ts';
import type { QuestionType } from './dns-question.ts';
import { createDnsResolver, type DnsResolver } from './dns-resolver.ts';
import { parseServerAddress } from './dns-servers.ts';

const LONG_MS = 20_000;
const manyTexts = Array.from({ length: 40 }, (_, index) => `text ${index} ${'x'.repeat(200)}`);
const chain = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [`hop${index}.test`, { CNAME: `hop${index + 1}.test` }]),
);
const zone: DnsZone = {
  ...chain,
  'hop10.test': { A: ['192.0.2.10'] },
  'example.com': {
    MX: [
      [20, 'MX2.Example.com'],
      [10, 'mx1.example.com'],
    ],
    TXT: [['v=spf1 ', '-all'], 'other'],
    A: ['192.0.2.1', '192.0.2.2'],
    AAAA: ['2001:db8::1'],
    TTL: 120,
    SOA: { ttl: 900, minimum: 200 },
  },
  'null.test': { MX: [[0, '.']] },
  'alias.test': { CNAME: 'example.com', TTL: 90 },
  'dangling.test': { CNAME: 'nowhere.test' },
  'empty-alias.test': { CNAME: 'null.test' },
  'loop.test': { CNAME: 'pool.test' },
  'pool.test': { CNAME: 'loop.test' },
  'below.parent.test': { A: ['192.0.2.3'] },
  'large.test': { TXT: manyTexts },
  'plain.test': { SOA: null },
};

let server: DnsServer;
let second: DnsServer;
before(async () => {
  server = await startDnsServer(zone);
  second = await startDnsServer(zone);
});
after(async () => {
  await server.close();
  await second.close();
});

/** Who lies is another question. */
const credulous = { sent: () => ({ atMs: 0, begun: 0 }), judge: () => true, isDistrusted: () => false };

function resolverOf(...addresses: string[]): DnsResolver {
  const servers = addresses.map(parseServerAddress).filter((address) => address !== null);
  return createDnsResolver({ servers, trust: credulous, now: Date.now, maxInFlight: 100, maxWaiting: 100 });
}

function ask<T extends QuestionType>(resolver: DnsResolver, name: string, type: T, withinMs = LONG_MS) {
  return resolver.resolve({ name, type }, { atMs: Date.now() + withinMs });
}

async function answerOf<T extends QuestionType>(name: string, type: T, withinMs = LONG_MS) {
  return (await ask(resolverOf(server.address), name, type, withinMs)).answer;
}

describe('an answer', () => {
  it('a DNS answer has MX with lower-case hosts in the order received, and the TTL', async () => {
    assert.deepEqual(await ask(resolverOf(server.address), 'example.com', 'MX'), {
      answer: {
        kind: 'records',
        records: [
          { hostname: 'mx2.example.com', priority: 20 },
          { hostname: 'mx1.example.com', priority: 10 },
        ],
      },
      ttlSeconds: 120,
    });
  });

  it('a DNS answer has a null MX as an empty host', async () => {
    assert.deepEqual(await answerOf('null.test', 'MX'), { kind: 'records', records: [{ hostname: '', priority: 0 }] });
  });

  it('a DNS answer has TXT with the strings of a record joined', async () => {
    assert.deepEqual(await answerOf('example.com', 'TXT'), { kind: 'records', records: ['v=spf1 -all', 'other'] });
  });

  it('a DNS answer has TXT as the UTF-8 of its joined bytes, and as Latin-1 when they are not', async () => {
    server.behave('accents.test', (query) => {
      const { id, questions } = dnsPacket.decode(query);
      const texts = [[Buffer.from([0x63, 0xc3]), Buffer.from([0xa9])], [Buffer.from([0x63, 0xe9])]];
      const answers = texts.map((data) => ({ type: 'TXT', name: 'accents.test', data }) as const);
      return [dnsPacket.encode({ type: 'response', id, questions, answers })];
    });
    assert.deepEqual(await answerOf('accents.test', 'TXT'), { kind: 'records', records: ['c\u00e9', 'c\u00e9'] });
  });

  it('a DNS answer has addresses', async () => {
    assert.deepEqual(await answerOf('example.com', 'A'), { kind: 'records', records: ['192.0.2.1', '192.0.2.2'] });
    assert.deepEqual(await answerOf('example.com', 'AAAA'), { kind: 'records', records: ['2001:db8::1'] });
  });

  it('a DNS answer distinguishes a missing name from a missing type, each with the lesser time of its SOA', async () => {
    const resolver = resolverOf(server.address);
    assert.deepEqual(await ask(resolver, 'no.example.com', 'MX'), {
      answer: { kind: 'none', missing: 'name' },
      ttlSeconds: 200,
    });
    assert.deepEqual(await ask(resolver, 'parent.test', 'MX'), {
      answer: { kind: 'none', missing: 'type' },
      ttlSeconds: 300,
    });
    assert.deepEqual(await ask(resolver, 'plain.test', 'MX'), {
      answer: { kind: 'none', missing: 'type', fleeting: true },
      ttlSeconds: null,
    });
  });

  it('a DNS answer that is larger than a packet is fetched over TCP', async () => {
    assert.deepEqual(await answerOf('large.test', 'TXT'), { kind: 'records', records: manyTexts });
  });

  it('a DNS answer that was cut short is fetched whole over TCP', async () => {
    server.behave('example.com', 'truncated');
    assert.deepEqual(await answerOf('example.com', 'AAAA'), { kind: 'records', records: ['2001:db8::1'] });
    server.behave('example.com', 'normal');
  });

  it('a DNS answer is obtained from a server that does not know EDNS', async () => {
    server.behave('example.com', 'no-edns');
    assert.deepEqual(await answerOf('example.com', 'AAAA'), { kind: 'records', records: ['2001:db8::1'] });
    server.behave('example.com', 'normal');
  });

  it('a DNS answer arrives although every second packet is lost, and although it is slower than an attempt', async () => {
    server.behave('example.com', 'half-lost');
    assert.equal((await answerOf('example.com', 'A')).kind, 'records');
    server.behave('example.com', { slowMs: 700 });
    assert.equal((await answerOf('example.com', 'A')).kind, 'records');
    server.behave('example.com', 'normal');
  });
});

describe('an alias', () => {
  it('a DNS alias is followed inside the answer, the least TTL of the chain counting', async () => {
    assert.deepEqual(await ask(resolverOf(server.address), 'alias.test', 'AAAA'), {
      answer: { kind: 'records', records: ['2001:db8::1'] },
      ttlSeconds: 90,
    });
  });

  it('a DNS alias is queried when the answer ends with it', async () => {
    server.behave('alias.test', 'alias-only');
    assert.deepEqual(await ask(resolverOf(server.address), 'alias.test', 'AAAA'), {
      answer: { kind: 'records', records: ['2001:db8::1'] },
      ttlSeconds: 90,
    });
    server.behave('alias.test', 'normal');
  });

  it('a DNS alias of a missing name is answered as a missing name, of a missing type as a missing type', async () => {
    assert.deepEqual(await answerOf('dangling.test', 'MX'), { kind: 'none', missing: 'name' });
    assert.deepEqual(await answerOf('empty-alias.test', 'TXT'), { kind: 'none', missing: 'type' });
  });

  it('a DNS alias is followed eight times and no more, within an answer and beyond', async () => {
    assert.deepEqual(await answerOf('hop2.test', 'A'), { kind: 'records', records: ['192.0.2.10'] });
    assert.deepEqual(await answerOf('hop1.test', 'A'), { kind: 'failed', reason: 'broken' });
    for (const name of Object.keys(chain)) server.behave(name, 'alias-only');
    assert.deepEqual(await answerOf('hop2.test', 'A'), { kind: 'records', records: ['192.0.2.10'] });
    assert.deepEqual(await answerOf('hop1.test', 'A'), { kind: 'failed', reason: 'broken' });
  });

  it('a DNS alias that leads in a circle is a broken answer', async () => {
    assert.deepEqual(await answerOf('loop.test', 'A'), { kind: 'failed', reason: 'broken' });
  });
});

describe('a failure', () => {
  it('a DNS failure is reported for SERVFAIL, REFUSED and a referral, never a missing record', async () => {
    server.behave('fails.test', 'servfail');
    assert.deepEqual(await answerOf('fails.test', 'MX'), { kind: 'failed', reason: 'servfail' });
    server.behave('fails.test', 'refused');
    assert.deepEqual(await answerOf('fails.test', 'MX'), { kind: 'failed', reason: 'refused' });
    server.behave('fails.test', 'referral');
    assert.deepEqual(await answerOf('fails.test', 'MX'), { kind: 'failed', reason: 'refused' });
  });

  for (const rcode of [0, 3]) {
    it(`a DNS failure is reported for a denial with code ${rcode} from a server without recursion, authority or SOA`, async () => {
      const denial = (flags: number) => (query: Buffer) => {
        const { id, questions } = dnsPacket.decode(query);
        return [dnsPacket.encode({ type: 'response', id, questions, flags: flags | rcode })];
      };
      server.behave('denied.test', denial(0));
      assert.deepEqual(await answerOf('denied.test', 'MX'), { kind: 'failed', reason: 'refused' });
      for (const flag of [dnsPacket.RECURSION_AVAILABLE, dnsPacket.AUTHORITATIVE_ANSWER]) {
        server.behave('denied.test', denial(flag));
        assert.equal((await answerOf('denied.test', 'MX')).kind, 'none');
      }
    });
  }

  it('a DNS failure is reported for silence when the deadline passes', async () => {
    server.behave('silent.test', 'silent');
    const resolver = resolverOf(server.address);
    assert.deepEqual((await ask(resolver, 'silent.test', 'MX', 900)).answer, { kind: 'failed', reason: 'timeout' });
    assert.equal(resolver.counters.sent, 2);
    assert.equal(resolver.counters.timeouts, 1);
    assert.equal(resolver.inFlight(), 0);
  });

  it('a DNS failure is reported immediately when the caller aborts, and when the resolver is closed', async () => {
    server.behave('silent.test', 'silent');
    const resolver = resolverOf(server.address);
    const caller = new AbortController();
    const question = { name: 'silent.test', type: 'MX' } as const;
    const given = resolver.resolve(question, { atMs: Date.now() + LONG_MS, signal: caller.signal });
    const closed = resolver.resolve(question, { atMs: Date.now() + LONG_MS });
    caller.abort();
    assert.deepEqual((await given).answer, { kind: 'failed', reason: 'timeout' });
    assert.equal(resolver.inFlight(), 1);
    resolver.close();
    assert.deepEqual((await closed).answer, { kind: 'failed', reason: 'timeout' });
    assert.deepEqual((await ask(resolver, 'example.com', 'MX')).answer, { kind: 'failed', reason: 'timeout' });
  });

  it('a DNS failure is reported immediately for a server that refuses the connection', async () => {
    const gone = await startDnsServer({});
    await gone.close();
    assert.deepEqual((await ask(resolverOf(gone.address), 'example.com', 'A')).answer, {
      kind: 'failed',
      reason: 'refused',
    });
  });

  it('a DNS failure is recorded for a server that the system cannot send to, and the next one is queried', async () => {
    const unreachable = '255.255.255.255';
    assert.deepEqual((await ask(resolverOf(unreachable), 'example.com', 'A')).answer, {
      kind: 'failed',
      reason: 'refused',
    });
    const both = resolverOf(unreachable, server.address);
    assert.equal((await ask(both, 'example.com', 'A')).answer.kind, 'records');
  });

  it('a DNS failure is reported for garbage without a better response', async () => {
    server.behave('garbage.test', 'broken');
    assert.deepEqual(await answerOf('garbage.test', 'MX', 500), { kind: 'failed', reason: 'broken' });
  });

  it('a DNS failure is reported immediately for garbage over TCP', async () => {
    server.behave('garbage.test', (query) => [query.length > 0 ? cutShort(query) : query]);
    assert.deepEqual(await answerOf('garbage.test', 'MX'), { kind: 'failed', reason: 'broken' });
  });
});

/** The question sent back as a truncated response: over UDP it leads to TCP, where it is no answer either. */
function cutShort(query: Buffer): Buffer {
  const bytes = Buffer.from(query);
  bytes.writeUInt16BE(0x8380, 2);
  return bytes;
}

describe('several servers', () => {
  it('several DNS servers replace one that is silent, refuses or fails', async () => {
    for (const behaviour of ['silent', 'refused', 'servfail', 'broken'] as const) {
      server.behave('example.com', behaviour);
      const resolver = resolverOf(server.address, second.address);
      assert.equal((await ask(resolver, 'example.com', 'A')).answer.kind, 'records', behaviour);
    }
    server.behave('example.com', 'normal');
  });

  it('several DNS servers are queried in turn', async () => {
    const resolver = resolverOf(server.address, second.address);
    for (const name of ['t1.test', 't2.test', 't3.test', 't4.test']) await ask(resolver, name, 'A');
    const asked = [server, second].map(({ questions }) => [1, 2, 3, 4].filter((n) => questions.has(`t${n}.test A`)));
    assert.deepEqual(asked, [
      [1, 3],
      [2, 4],
    ]);
  });

  it('several DNS servers that were silent recently are queried last', async () => {
    server.behave('*', 'silent');
    const resolver = resolverOf(server.address, second.address);
    for (const name of ['s1.test', 's2.test', 's3.test']) await ask(resolver, name, 'A');
    server.behave('*', 'normal');
    assert.equal(server.questions.has('s1.test A'), true);
    assert.equal(server.questions.has('s3.test A'), false);
  });
});

describe('a forged answer', () => {
  for (const behaviour of ['wrong-id', 'wrong-question', 'wrong-source'] as const) {
    it(`a forged DNS answer with the ${behaviour.replace('-', ' ')} never appears`, async () => {
      server.behave('example.com', behaviour);
      for (const type of ['MX', 'TXT', 'A'] as const) {
        assert.equal((await answerOf('example.com', type, 300)).kind, 'failed');
      }
      server.behave('example.com', 'normal');
    });
  }

  it('a forged DNS answer never appears in front of the true one, nor inside it [Q23]', async () => {
    for (const behaviour of ['lying', 'foreign-records'] as const) {
      server.behave('example.com', behaviour);
      for (const type of ['MX', 'TXT', 'A', 'AAAA'] as const) {
        const answer = await answerOf('example.com', type);
        assert.equal(answer.kind, 'records');
        assert.doesNotMatch(JSON.stringify(answer), new RegExp(`${FORGED_HOST}|${FORGED_ADDRESS}`));
      }
      server.behave('example.com', 'normal');
    }
  });

  it('a forged DNS answer of another class than IN is ignored, in the answer and as an alias [Q23]', async () => {
    const answering = (answers: dnsPacket.Answer[]) => (query: Buffer) => {
      const { id, questions } = dnsPacket.decode(query);
      return [dnsPacket.encode({ type: 'response', id, flags: dnsPacket.RECURSION_AVAILABLE, questions, answers })];
    };
    const name = 'chaos.test';
    server.behave(
      name,
      answering([
        { type: 'A', name, class: 'CH', ttl: 300, data: FORGED_ADDRESS },
        { type: 'CNAME', name, class: 'CH', ttl: 300, data: FORGED_HOST },
        { type: 'A', name, class: 'IN', ttl: 300, data: '192.0.2.7' },
      ]),
    );
    assert.deepEqual(await answerOf(name, 'A'), { kind: 'records', records: ['192.0.2.7'] });
    server.behave(name, answering([{ type: 'A', name, class: 'CH', ttl: 300, data: FORGED_ADDRESS }]));
    // No SOA record stands for this denial, so it is not kept (RFC 2308 section 5).
    assert.deepEqual(await answerOf(name, 'A'), { kind: 'none', missing: 'type', fleeting: true });
  });

  it('a forged DNS answer with records of other names only counts as no data', async () => {
    server.behave('parent.test', 'foreign-records');
    assert.deepEqual(await answerOf('parent.test', 'A'), { kind: 'none', missing: 'type' });
    server.behave('parent.test', 'normal');
  });

  it('a forged DNS answer made of random bytes, with or without the right id, is never accepted as an answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (noise, rightId) => {
        server.behave('noise.test', (query) => [
          Buffer.concat([rightId ? query.subarray(0, 2) : randomBytes(2), noise]),
        ]);
        assert.equal((await answerOf('noise.test', 'MX', 40)).kind, 'failed');
      }),
      { numRuns: 50 },
    );
  });
});

describe('questions', () => {
  it('DNS questions have their own ports and ids', async () => {
    const ids = new Set<number>();
    const ports = new Set<number>();
    server.behave('id.test', (query, fromPort) => {
      ids.add(query.readUInt16BE(0));
      ports.add(fromPort);
      return [];
    });
    await Promise.all(Array.from({ length: 40 }, () => answerOf('id.test', 'A', 1_000)));
    assert.equal(ports.size, 40);
    assert.ok(ids.size > 35, `${ids.size} different ids`);
  });

  it('DNS questions beyond the places wait, beyond the queue fail as busy, and nothing is held afterwards', async () => {
    server.behave('silent.test', 'silent');
    const servers = [parseServerAddress(server.address)].filter((address) => address !== null);
    const resolver = createDnsResolver({ servers, trust: credulous, now: Date.now, maxInFlight: 2, maxWaiting: 3 });
    const asked = Array.from({ length: 10 }, (_, index) => ask(resolver, 'silent.test', 'A', index < 2 ? 900 : 100));
    assert.deepEqual([resolver.inFlight(), resolver.waiting()], [2, 3]);
    const reasons = (await Promise.all(asked)).map(({ answer }) => (answer.kind === 'failed' ? answer.reason : ''));
    assert.equal(reasons.filter((reason) => reason === 'busy').length, 8);
    assert.equal(reasons.filter((reason) => reason === 'timeout').length, 2);
    assert.deepEqual([resolver.inFlight(), resolver.waiting()], [0, 0]);
    assert.equal(resolver.counters.busy, 8);
  });
});
