import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { testLists } from '../../../test/lists/test-lists.ts';
import { caseDomain } from '../../../test/mail/mail-zone.ts';
import { known, unknown, valueOrNull } from '../../reading.ts';
import type { DomainFacts } from '../sources.ts';
import { domainAge } from './domain-age.ts';
import { domainAuthority } from './domain-authority.ts';

const day = 86_400_000;
const nowMs = Date.UTC(2026, 10, 15, 12);
const subject = { domain: caseDomain('example.com'), address: null };
const lists = testLists({});
const missing: DomainFacts = {
  mx: known([]),
  mxProviders: [],
  disposableMx: null,
  disposableMail: null,
  spf: known('missing'),
  dmarc: known('missing'),
  dnsbl: unknown('no_data'),
  registeredAtMs: unknown('no_data'),
  rank: null,
  isRankingLoaded: true,
  ranking: { explain: (registrable) => [{ source: 'ranking', detail: 'ranks it', entry: registrable }] },
};
const sources = (facts: Partial<DomainFacts>) => ({ lists, facts: { ...missing, ...facts }, nowMs });
const authority = (facts: Partial<DomainFacts>) => valueOrNull(domainAuthority.read(subject, sources(facts)));
const age = (days: number) => ({ registeredAtMs: known(nowMs - days * day) });
const years = (count: number) => age(Math.ceil(count * 365.25));
const mx = known([{ hostname: 'mx.example.com', priority: 1 }]);

describe('the authority of a ranked domain', () => {
  const ranks: readonly (readonly [number, number])[] = [
    [1, 100],
    [10, 90],
    [100, 80],
    [1_000, 70],
    [10_000, 60],
    [100_000, 50],
    [1_000_000, 40],
    [1e12, 0],
  ];
  for (const [rank, score] of ranks) {
    it(`the authority of a ranked domain at place ${rank} is ${score} [D101]`, () =>
      assert.equal(authority({ rank }), score));
  }

  it('the authority of a ranked domain asks for nothing else', () => {
    assert.equal(authority({ rank: 10, registeredAtMs: unknown('pending'), mx: unknown('timeout') }), 90);
  });
});

describe('the authority of a domain without a rank', () => {
  const best: Partial<DomainFacts> = { ...years(40), mx, spf: known('strict'), dmarc: known('reject') };
  const noMail: Partial<DomainFacts> = { mx: unknown('timeout'), spf: unknown('timeout'), dmarc: unknown('timeout') };
  const cases: readonly (readonly [string, Partial<DomainFacts>, number | null])[] = [
    ['a mail set-up of nothing, and no date published', {}, 0],
    ['registered today', age(0), 0],
    ['two and a half points a year', years(4), 10],
    ['the points are rounded', years(1), 3],
    ['at most 25 points for age', years(40), 25],
    ['usable MX records: 5 of 39', { ...age(0), mx }, 5],
    ['SPF strict', { ...age(0), spf: known('strict') }, 4],
    ['SPF relaxed', { ...age(0), spf: known('relaxed') }, 4],
    ['SPF neutral', { ...age(0), spf: known('neutral') }, 1],
    ['SPF permissive', { ...age(0), spf: known('permissive') }, 0],
    ['SPF invalid', { ...age(0), spf: known('invalid') }, 0],
    ['DMARC reject', { ...age(0), dmarc: known('reject') }, 5],
    ['DMARC quarantine', { ...age(0), dmarc: known('quarantine') }, 4],
    ['DMARC none', { ...age(0), dmarc: known('none') }, 2],
    ['DMARC invalid', { ...age(0), dmarc: known('invalid') }, 0],
    ['everything at its best', best, 39],
    ['a mail set-up that is unknown takes nothing away', { ...best, ...noMail }, 39],
    ['a date that is not known yet takes nothing away', { ...best, registeredAtMs: unknown('pending') }, 39],
    ['a registry that did not answer takes nothing away', { ...best, registeredAtMs: unknown('failed') }, 39],
    ['one part that is unknown leaves the share of the others', { ...years(4), mx: unknown('timeout') }, 11],
    ['nothing known but that it has no rank', { ...noMail, registeredAtMs: unknown('pending') }, 0],
    ['nothing known, and no ranking', { ...noMail, registeredAtMs: unknown('pending'), isRankingLoaded: false }, null],
    ['everything at its best, and no ranking', { ...best, isRankingLoaded: false }, 60],
    ['half of the age alone, and no ranking', { ...years(5), ...noMail, isRankingLoaded: false }, 30],
  ];
  for (const [what, facts, score] of cases) {
    it(`the authority of a domain without a rank, ${what}: ${score} [S17 D308]`, () =>
      assert.equal(authority(facts), score));
  }

  it('the authority of a domain without a rank is a whole number, never below 0 and always below the first million', () => {
    const facts = fc.record({
      mx: fc.constantFrom(mx, known([]), unknown('timeout')),
      spf: fc.constantFrom(known('strict' as const), known('invalid' as const), unknown('failed')),
      dmarc: fc.constantFrom(known('reject' as const), known('missing' as const), unknown('failed')),
      registeredAtMs: fc.integer({ min: -nowMs, max: 2 * nowMs }).map((ms) => known(ms)),
    });
    fc.assert(
      fc.property(facts, (given) => {
        const score = authority(given);
        assert.ok(score !== null && Number.isInteger(score) && score >= 0 && score < 40, String(score));
      }),
    );
  });
});

describe('the age of a domain', () => {
  const read = (facts: Partial<DomainFacts>) => valueOrNull(domainAge.read(subject, sources(facts)));

  it('the age of a domain is the whole days since its registration [S19]', () => {
    assert.deepEqual([age(1), age(0.99), age(1.99), age(10_000)].map(read), [1, 0, 1, 10_000]);
  });

  it('the age of a domain is never negative', () => assert.equal(read(age(-3)), 0));

  it('the age of a domain is unknown for the reason the date is', () => {
    for (const reason of ['pending', 'failed', 'no_data', 'not_applicable'] as const) {
      const registeredAtMs = unknown(reason);
      assert.deepEqual(domainAge.read(subject, sources({ registeredAtMs })), { known: false, reason });
    }
  });
});
