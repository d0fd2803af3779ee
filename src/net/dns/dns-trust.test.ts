import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import * as dnsPacket from 'dns-packet';
import { type DnsServer, startDnsServer } from '../../../test/dns-server.ts';
import type { DnsZone } from '../../../test/dns-zone.ts';
import { until } from '../../../test/eventually.ts';
import { createDns, type Dns, type DnsOptions, isUntrusted } from './dns.ts';
import type { TrustChange } from './dns-trust.ts';

const zone: DnsZone = { 'real.test': { MX: [[10, 'mx.real.test']] }, 'gmail.com': { MX: [[5, 'mx.gmail.com']] } };
const untrusted = { kind: 'failed', reason: 'untrusted' } as const;
const missing = { kind: 'none', missing: 'name' } as const;
/** Just longer than a proof counts. */
const proofMs = 5_001;

describe('a DNS server', () => {
  let server: DnsServer;
  let dns: Dns | null;
  let changes: TrustChange[];
  let skippedMs: number;
  beforeEach(async () => {
    server = await startDnsServer(zone);
    dns = null;
    changes = [];
    skippedMs = 0;
  });
  afterEach(async () => {
    dns?.close();
    await server.close();
  });

  const now = () => Date.now() + skippedMs;
  const open = (options: Partial<DnsOptions> = {}): Dns => {
    dns = createDns({
      servers: [server.address],
      offline: false,
      now,
      mustExist: ['com', 'net', 'org'],
      onTrustChange: (change) => changes.push(change),
      ...options,
    });
    return dns;
  };
  const mx = (client: Dns, name: string) => client.mx(name, { atMs: now() + 20_000 });
  const proofs = () => server.questions.get('com SOA') ?? 0;
  const madeUp = () => [...server.questions.keys()].filter((key) => /^[0-9a-f]{24}\.com A$/.test(key)).length;

  it('a DNS server that denies everything is distrusted from the first query on, and reported once [D290]', async () => {
    server.behave('*', 'denying');
    const client = open();
    assert.deepEqual(await mx(client, 'gmail.com'), untrusted);
    assert.deepEqual(await mx(client, 'unregistered.test'), untrusted);
    assert.deepEqual(changes, [{ server: server.address, from: 'unproven', to: 'denying', provenAtMs: 0 }]);
    assert.equal(isUntrusted(client), true);
    assert.equal(client.metrics().disbelieved, 2);
  });

  it('a DNS server that denies two of three names it must know is trusted for the records it has, not for its denials', async () => {
    for (const name of ['com', 'net']) server.behave(name, 'denying');
    const client = open();
    assert.deepEqual(await mx(client, 'unregistered.test'), untrusted);
    assert.equal((await mx(client, 'real.test')).kind, 'records');
  });

  it('a DNS server that hides a denial behind records of another name is not trusted either', async () => {
    for (const name of ['com', 'net']) server.behave(name, 'denying');
    server.behave('hidden.test', (query) => {
      const { id, questions } = dnsPacket.decode(query);
      const other = { type: 'MX', name: 'other.test', data: { preference: 1, exchange: 'mx.other.test' } } as const;
      const flags = dnsPacket.RECURSION_AVAILABLE;
      return [dnsPacket.encode({ type: 'response', id, flags, questions, answers: [other] })];
    });
    assert.deepEqual(await mx(open(), 'hidden.test'), untrusted);
  });

  it('a DNS server that denies one of three is trusted', async () => {
    server.behave('com', 'denying');
    assert.deepEqual(await mx(open(), 'unregistered.test'), missing);
  });

  it('a DNS server that has records for unregistered names is not trusted at all', async () => {
    for (const name of ['com', 'net', 'org', 'real.test']) server.behave(name, 'normal');
    server.behave('*', 'inventing');
    const client = open();
    await mx(client, 'unregistered.test');
    await until(() => changes.length > 0);
    assert.deepEqual(await mx(client, 'real.test'), untrusted);
    assert.deepEqual(await mx(client, 'unregistered.test'), untrusted, 'and what it said before is forgotten');
  });

  it('a DNS server that lies leaves the answer to the next [D290]', async () => {
    const honest = await startDnsServer(zone);
    server.behave('*', 'denying');
    const client = open({ servers: [server.address, honest.address] });
    try {
      for (const name of ['a.test', 'b.test', 'c.test']) assert.deepEqual(await mx(client, name), missing);
      assert.equal((await mx(client, 'real.test')).kind, 'records');
      assert.equal(isUntrusted(client), false);
      assert.equal(
        await client.prove(),
        true,
        'the lying server was not trusted, so the facts of the other may be stored',
      );
    } finally {
      await honest.close();
    }
  });

  it('a DNS server that is honest is probed once for all denials that are in flight together [D290]', async () => {
    const client = open();
    await mx(client, 'first.test');
    const before = proofs();
    const names = Array.from({ length: 50 }, (_, index) => `n${index}.test`);
    for (const answer of await Promise.all(names.map((name) => mx(client, name)))) assert.deepEqual(answer, missing);
    assert.ok(proofs() - before <= 2, `${proofs() - before} probes`);
    assert.deepEqual(changes, []);
  });

  it('a DNS server gets made-up names, which it must look up elsewhere, once for questions within a moment', async () => {
    const client = open();
    for (const name of ['a.test', 'b.test', 'c.test']) assert.deepEqual(await mx(client, name), missing);
    assert.equal(madeUp(), 2);
    skippedMs = proofMs;
    await mx(client, 'd.test');
    assert.equal(madeUp(), 4);
  });

  it('a DNS server that has records is not probed for each of them', async () => {
    const client = open();
    await mx(client, 'first.test');
    const before = proofs();
    for (const name of ['real.test', 'gmail.com']) assert.equal((await mx(client, name)).kind, 'records');
    assert.equal(proofs(), before);
  });

  it('a DNS server that begins to deny is not trusted from its first lie on [D290]', async () => {
    const client = open();
    assert.deepEqual(await mx(client, 'before.test'), missing);
    skippedMs = 1;
    assert.equal(await client.prove(), true);
    server.behave('*', 'denying');
    assert.deepEqual(await mx(client, 'real.test'), untrusted);
    assert.deepEqual(await mx(client, 'gmail.com'), untrusted);
    assert.deepEqual(await mx(client, 'before.test'), missing, 'denied while the server was honest');
    assert.ok((changes[0]?.provenAtMs ?? 0) > 0);
  });

  it('a DNS server that denies every second query is distrusted, and none of its denials is trusted', async () => {
    const client = open();
    await mx(client, 'before.test');
    server.behave('*', 'half-denying');
    const names = ['real.test', 'gmail.com', 'real.test', 'gmail.com'];
    for (const name of names) assert.notEqual((await mx(client, name)).kind, 'none', name);
    assert.equal(client.serverTrust()[0]?.trust, 'denying');
  });

  it('a DNS server that begins to invent is not trusted from its first invention on, and its answers since the last proof are evicted [D290]', async () => {
    const client = open();
    assert.equal((await mx(client, 'real.test')).kind, 'records');
    skippedMs = 1;
    assert.equal(await client.prove(), true);
    for (const name of ['com', 'net', 'org']) server.behave(name, 'normal');
    server.behave('*', 'inventing');
    skippedMs = 1_000;
    assert.deepEqual(await mx(client, 'unregistered.test'), untrusted, 'probed in parallel with the question');
    assert.deepEqual(await mx(client, 'unregistered.test'), untrusted);
    assert.equal((await mx(client, 'real.test')).kind, 'records', 'learnt while the server was honest');
    assert.deepEqual([changes.length, changes[0]?.to], [1, 'inventing']);
  });

  it('a DNS server that was not trusted since its last proof is not probed again', async () => {
    const client = open();
    assert.deepEqual(await mx(client, 'unregistered.test'), missing);
    assert.equal(await client.prove(), true);
    const before = proofs();
    assert.equal(await client.prove(), true);
    assert.equal(proofs(), before);
  });

  it('a DNS server that lied is trusted after five proofs in a row', async () => {
    server.behave('*', 'denying');
    const client = open();
    assert.deepEqual(await mx(client, 'real.test'), untrusted);
    server.behave('*', 'normal');
    const before = proofs();
    await until(() => changes.length === 2);
    assert.deepEqual(changes[1], {
      server: server.address,
      from: 'denying',
      to: 'trusted',
      provenAtMs: changes[1]?.provenAtMs,
    });
    assert.ok(proofs() - before >= 5);
    assert.equal((await mx(client, 'real.test')).kind, 'records', 'asked again, although it was unknown a moment ago');
  });

  it('a DNS server whose probe is never answered is trusted for its records, not for its denials', async () => {
    for (const name of ['com', 'net', 'org']) server.behave(name, 'servfail');
    const client = open();
    assert.deepEqual(await mx(client, 'unregistered.test'), untrusted);
    assert.equal((await mx(client, 'real.test')).kind, 'records');
    assert.deepEqual(changes, []);
  });

  it('a DNS server that proved itself before and now gets no answer is not trusted for its denials', async () => {
    const client = open();
    await mx(client, 'before.test');
    for (const name of ['com', 'net', 'org']) server.behave(name, 'servfail');
    assert.deepEqual(await mx(client, 'unregistered.test'), untrusted);
    assert.equal((await mx(client, 'real.test')).kind, 'records');
    assert.equal(await client.prove(), false);
    assert.deepEqual(changes, []);
  });

  it('a DNS server may prove itself with names of its own network', async () => {
    server.setZone({ 'corp.test': { A: ['192.0.2.1'] } });
    for (const name of ['com', 'net', 'org']) server.behave(name, 'denying');
    assert.deepEqual(await mx(open({ mustExist: ['corp.test'] }), 'unregistered.test'), missing);
  });

  it('a DNS server need not prove itself when there is nothing it must know', async () => {
    server.behave('*', 'denying');
    assert.deepEqual(await mx(open({ mustExist: [] }), 'gmail.com'), missing);
    assert.equal(proofs(), 0);
  });
});
