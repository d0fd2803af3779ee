import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { caseDomain, createZoneDns, type MailZone, type Zone } from '../../test/mail/mail-zone.ts';
import { createDnsblZones, readDnsbl } from './dnsbl.ts';

const deadline = { atMs: Number.POSITIVE_INFINITY };
const hourMs = 3_600_000;

/** A zone that passes the self-test and lists the given names with the given addresses. */
function blocklist(zone: string, listed: Readonly<Record<string, string[]>> = {}): Zone {
  const entries = Object.entries({ test: ['127.0.0.2'], ...listed });
  return Object.fromEntries(entries.map(([name, A]) => [`${name}.${zone}`, { A }]));
}

function read(domain: string, zones: readonly string[], mailZone: MailZone) {
  return readDnsbl(
    caseDomain(domain),
    createDnsblZones(zones, () => 0),
    createZoneDns(mailZone),
    deadline,
  );
}

describe('a domain blocklist zone', () => {
  it('a domain blocklist zone lists a domain by an answer in 127/8', async () => {
    const reading = await read('spam.example', ['dbl.test'], {
      zone: blocklist('dbl.test', { 'spam.example': ['127.0.1.2'] }),
    });
    assert.ok(reading.known && reading.value);
    assert.deepEqual(reading.why?.(), [{ source: 'dbl.test', detail: 'listed' }]);
  });

  it('a domain blocklist zone lists a subdomain with its registrable domain', async () => {
    const reading = await read('a.b.spam.co.uk', ['dbl.test'], {
      zone: blocklist('dbl.test', { 'spam.co.uk': ['127.0.0.2'] }),
    });
    assert.ok(reading.known && reading.value);
  });

  it('a domain blocklist zone clears a domain it does not list', async () => {
    const reading = await read('good.example', ['dbl.test'], { zone: blocklist('dbl.test') });
    assert.ok(reading.known && !reading.value);
  });

  for (const address of [
    '127.255.255.252',
    '127.255.255.254',
    '127.0.1.255',
    '127.0.0.1',
    '192.0.2.1',
    '10.0.0.1',
    '12.7.0.2',
  ]) {
    it(`a domain blocklist zone lists no domain by ${address}`, async () => {
      const zone = blocklist('dbl.test', { 'good.example': [address] });
      assert.deepEqual(await read('good.example', ['dbl.test'], { zone }), { known: false, reason: 'failed' });
    });
  }

  it('a domain blocklist zone lists no domain by a mixed answer', async () => {
    const zone = blocklist('dbl.test', { 'good.example': ['127.0.0.2', '127.255.255.254'] });
    assert.deepEqual(await read('good.example', ['dbl.test'], { zone }), { known: false, reason: 'failed' });
  });

  it('a domain blocklist zone is ignored when it does not list its test entry', async () => {
    const zone = { 'spam.example.dbl.test': { A: ['127.0.0.2'] } };
    assert.deepEqual(await read('spam.example', ['dbl.test'], { zone }), { known: false, reason: 'failed' });
  });

  it('a domain blocklist zone is ignored when it lists everything', async () => {
    const zone = blocklist('dbl.test', { invalid: ['127.0.0.2'], 'good.example': ['127.0.0.2'] });
    assert.deepEqual(await read('good.example', ['dbl.test'], { zone }), { known: false, reason: 'failed' });
  });

  it('a domain blocklist zone is ignored without harm to the others', async () => {
    const zone = {
      ...blocklist('bad.test', { invalid: ['127.0.0.2'], 'good.example': ['127.0.0.2'] }),
      ...blocklist('dbl.test'),
    };
    const reading = await read('good.example', ['bad.test', 'dbl.test'], { zone });
    assert.ok(reading.known && !reading.value);
  });

  it('a domain blocklist zone that does not answer leaves the verdict to the others, and open when there is none', async () => {
    const zone = { ...blocklist('one.test'), ...blocklist('two.test', { 'spam.example': ['127.0.0.2'] }) };
    const silent = ['spam.example.one.test', 'good.example.one.test'];
    const zones = ['one.test', 'two.test'];
    assert.deepEqual(await read('good.example', ['one.test'], { zone, silent }), { known: false, reason: 'timeout' });
    const cleared = await read('good.example', zones, { zone, silent });
    assert.ok(cleared.known && !cleared.value);
    const listed = await read('spam.example', zones, { zone, silent });
    assert.ok(listed.known && listed.value);
  });

  it('a domain blocklist zone says nothing when there is none', async () => {
    assert.deepEqual(await read('good.example', [], { zone: {} }), { known: false, reason: 'not_applicable' });
  });
});

describe('the self-test of a zone', () => {
  it('the self-test of a zone holds for an hour, a clock that goes back excepted', async () => {
    let nowMs = 10 * hourMs;
    const zones = createDnsblZones(['dbl.test'], () => nowMs);
    const dns = createZoneDns({ zone: blocklist('dbl.test') });
    const tests = async () => {
      dns.questions.length = 0;
      await readDnsbl(caseDomain('good.example'), zones, dns, deadline);
      return dns.questions.filter((question) => /^A (?:test|invalid)\./.test(question)).length;
    };
    assert.equal(await tests(), 2);
    nowMs += hourMs - 1;
    assert.equal(await tests(), 0);
    nowMs += 1;
    assert.equal(await tests(), 2);
    nowMs -= 5 * hourMs;
    assert.equal(await tests(), 2);
  });

  it('the self-test of a zone is repeated immediately when it got no answer', async () => {
    const zones = createDnsblZones(['dbl.test'], () => 0);
    const zone = blocklist('dbl.test');
    const silent = createZoneDns({ zone, silent: ['test.dbl.test'] });
    const first = await readDnsbl(caseDomain('good.example'), zones, silent, deadline);
    assert.deepEqual(first, { known: false, reason: 'timeout' });
    const second = await readDnsbl(caseDomain('good.example'), zones, createZoneDns({ zone }), deadline);
    assert.ok(second.known && !second.value);
  });
});
