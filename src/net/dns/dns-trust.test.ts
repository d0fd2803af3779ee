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
const minuteMs = 60_000;

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
      isWellKnown: (name) => name === 'gmail.com',
      onTrustChange: (change) => changes.push(change),
      ...options,
    });
    return dns;
  };
  const mx = (client: Dns, name: string) => client.mx(name, { atMs: now() + 20_000 });
  const proofs = () => server.questions.get('com SOA') ?? 0;

  it('a DNS server that denies everything is distrusted from the first query on, and reported once [D290]', async () => {
    server.behave('*', 'denying');
    const client = open();
    assert.deepEqual(await mx(client, 'gmail.com'), untrusted);
    assert.deepEqual(await mx(client, 'unregistered.test'), untrusted);
    assert.deepEqual(changes, [{ server: server.address, from: 'unproven', to: 'denying', provenAtMs: 0 }]);
    assert.equal(isUntrusted(client), true);
    assert.equal(client.metrics().disbelieved, 2);
  });

  it('a DNS server that denies two of three names it must know is believed in what it has, not in what it denies', async () => {
    for (const name of ['com', 'net']) server.behave(name, 'denying');
    const client = open();
    assert.deepEqual(await mx(client, 'unregistered.test'), untrusted);
    assert.equal((await mx(client, 'real.test')).kind, 'records');
  });

  it('a DNS server that hides a denial behind records of another name is not believed either', async () => {
    for (const name of ['com', 'net']) server.behave(name, 'denying');
    server.behave('hidden.test', (query) => {
      const { id, questions } = dnsPacket.decode(query);
      const other = { type: 'MX', name: 'other.test', data: { preference: 1, exchange: 'mx.other.test' } } as const;
      const flags = dnsPacket.RECURSION_AVAILABLE;
      return [dnsPacket.encode({ type: 'response', id, flags, questions, answers: [other] })];
    });
    assert.deepEqual(await mx(open(), 'hidden.test'), untrusted);
  });

  it('a DNS server that denies one of three is believed', async () => {
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
    } finally {
      await honest.close();
    }
  });

  it('a DNS server that is honest proves itself once however many denials come, and again after ten minutes', async () => {
    const client = open();
    const names = Array.from({ length: 50 }, (_, index) => `n${index}.test`);
    for (const answer of await Promise.all(names.map((name) => mx(client, name)))) assert.deepEqual(answer, missing);
    assert.equal(proofs(), 1);
    skippedMs = 9 * minuteMs;
    await mx(client, 'late.test');
    assert.equal(proofs(), 1);
    skippedMs = 10 * minuteMs + 1;
    assert.deepEqual(await mx(client, 'later.test'), missing);
    assert.equal(proofs(), 2);
    assert.deepEqual(changes, []);
  });

  it('a DNS server that begins to deny is caught after ten minutes, and what it denied since its proof is forgotten', async () => {
    const client = open();
    assert.deepEqual(await mx(client, 'before.test'), missing);
    server.behave('*', 'denying');
    skippedMs = 5 * minuteMs;
    assert.deepEqual(await mx(client, 'real.test'), missing);
    skippedMs = 10 * minuteMs + 1;
    assert.deepEqual(await mx(client, 'new.test'), untrusted);
    assert.deepEqual(await mx(client, 'real.test'), untrusted);
    assert.ok((changes[0]?.provenAtMs ?? 0) > 0);
  });

  it('a DNS server that denies a well-known mail domain is probed immediately', async () => {
    const client = open();
    assert.deepEqual(await mx(client, 'before.test'), missing);
    server.behave('*', 'denying');
    assert.deepEqual(await mx(client, 'gmail.com'), untrusted);
    assert.equal(proofs(), 2);
  });

  it('a DNS server whose probe is never answered is trusted for its records, not for its denials', async () => {
    for (const name of ['com', 'net', 'org']) server.behave(name, 'servfail');
    const client = open();
    assert.deepEqual(await mx(client, 'unregistered.test'), untrusted);
    assert.equal((await mx(client, 'real.test')).kind, 'records');
    assert.deepEqual(changes, []);
  });

  it('a DNS server that proved itself before and now gets no answer is believed for the moment, and nothing of it is kept', async () => {
    const client = open();
    await mx(client, 'before.test');
    for (const name of ['com', 'net', 'org']) server.behave(name, 'servfail');
    skippedMs = 10 * minuteMs + 1;
    for (const count of [1, 2]) {
      assert.deepEqual(await mx(client, 'unregistered.test'), { ...missing, fleeting: true });
      assert.equal(server.questions.get('unregistered.test MX'), count);
    }
    assert.deepEqual(changes, []);
  });

  it('a DNS server may prove itself with names of a network of its own', async () => {
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
