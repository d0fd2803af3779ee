import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testLists } from '../../test/lists/test-lists.ts';
import { caseDomain } from '../../test/mail/mail-zone.ts';
import { unknownFacts } from '../../test/unknown-facts.ts';
import type { Domain } from '../address/domain.ts';
import { known } from '../reading.ts';
import type { DomainFacts, ListSource } from '../signals/sources.ts';
import { createWarmReadings } from './warm-readings.ts';

const day = 86_400_000;
const domain = caseDomain('example.com');
const nothing = unknownFacts('pending');
const lists = testLists({});

function open(source: ListSource = lists, maxDomains?: number) {
  const clock = { nowMs: 1_000 * day };
  const readings = createWarmReadings(maxDomains);
  const warm = {
    readingsOf: (name: Domain, facts: DomainFacts) =>
      readings.readingsOf(name, { lists: source, facts, nowMs: clock.nowMs }),
    /** The readings of a domain that was requested before. */
    readingsAgain(name: Domain, facts: DomainFacts) {
      warm.readingsOf(name, facts);
      return warm.readingsOf(name, facts);
    },
  };
  return { clock, warm };
}

describe('the readings of a domain', () => {
  it('the readings of a domain that is asked for again stay the same object while nothing behind them changes', () => {
    const { warm } = open();
    const kept = warm.readingsAgain(domain, nothing);
    assert.equal(warm.readingsOf(caseDomain('EXAMPLE.com'), { ...nothing }), kept);
    assert.notEqual(warm.readingsAgain(caseDomain('example.net'), nothing), kept);
  });

  it('the readings of a domain that is asked for once push out none that is asked for again', () => {
    const { warm } = open(lists, 1);
    const kept = warm.readingsAgain(domain, nothing);
    const once = warm.readingsOf(caseDomain('example.net'), nothing);
    assert.equal(warm.readingsOf(domain, nothing), kept);
    assert.notEqual(warm.readingsOf(caseDomain('example.net'), nothing), once);
  });

  it('the readings of a domain are worked out again when the lists change [Q22]', () => {
    let disposable = false;
    let revision = {};
    const changing: ListSource = {
      ...lists,
      isListed: (list) => list === 'disposable' && disposable,
      get revision() {
        return revision;
      },
    };
    const { warm } = open(changing);
    const value = () => warm.readingsAgain(domain, nothing).disposable;
    assert.ok(value().known);
    disposable = true;
    revision = {};
    const reading = value();
    assert.equal(reading.known && reading.value, true);
  });

  const changes: readonly (readonly [string, Partial<DomainFacts>])[] = [
    ['mx', { mx: known([{ hostname: 'mx.example.net', priority: 1 }]) }],
    [
      'mail of a disposable service',
      { disposableMail: { host: 'mx.bin.test', service: 'bin.test', sharedBy: 0, isCertain: true } },
    ],
    ['spf', { spf: known('strict') }],
    ['dmarc', { dmarc: known('reject') }],
    ['dnsbl', { dnsbl: known(true) }],
    ['registration', { registeredAtMs: known(0) }],
    ['rank', { rank: 7 }],
  ];
  for (const [fact, change] of changes) {
    it(`the readings of a domain are worked out again when the fact ${fact} changes`, () => {
      const { warm } = open();
      const before = warm.readingsAgain(domain, nothing);
      const after = warm.readingsOf(domain, { ...nothing, ...change });
      assert.notEqual(after, before);
      assert.notDeepEqual(JSON.stringify(after), JSON.stringify(before));
    });
  }

  it('the readings of a domain show a growing age, also after the clock was set back', () => {
    const { warm, clock } = open();
    const facts = { ...nothing, registeredAtMs: known(0) };
    const age = () => {
      const reading = warm.readingsAgain(domain, facts).domainAge;
      return reading.known && reading.value;
    };
    assert.equal(age(), 1_000);
    clock.nowMs += day;
    assert.equal(age(), 1_001);
    clock.nowMs -= 2 * day;
    assert.equal(age(), 999);
  });

  it('the readings of a domain with many long mail hosts are not kept', () => {
    const { warm } = open();
    const withHosts = (count: number) => {
      const hosts = Array.from({ length: count }, (_, priority) => ({ hostname: `${'x'.repeat(200)}.test`, priority }));
      return { ...nothing, mx: known(hosts) };
    };
    const [usual, hostile] = [withHosts(5), withHosts(30)];
    assert.equal(warm.readingsAgain(domain, usual), warm.readingsOf(domain, usual));
    assert.notEqual(warm.readingsAgain(domain, hostile), warm.readingsOf(domain, hostile));
  });

  it('the readings of a domain are kept for a bounded number of domains', () => {
    const { warm } = open(lists, 1);
    const first = warm.readingsAgain(domain, nothing);
    warm.readingsAgain(caseDomain('example.net'), nothing);
    assert.notEqual(warm.readingsOf(domain, nothing), first);
  });
});
