import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { testLists } from '../../test/lists/test-lists.ts';
import { unknownFacts } from '../../test/unknown-facts.ts';
import { parseAddress } from '../address/address.ts';
import { known } from '../reading.ts';
import type { DomainFacts } from '../signals/sources.ts';
import type { LookupResult } from './lookup.ts';
import { type BodyOptions, domainText, emailText } from './lookup-body.ts';
import { createWarmReadings } from './warm-readings.ts';

const lists = {
  ...testLists({
    packages: { fakefilter: ['throwaway.com'] },
    curated: { brands: [{ provider: 'throwaway.com', domains: ['throwaway.com'] }], roles: ['info'] },
    suggest: (name) => (name === 'gmial.com' ? 'gmail.com' : null),
  }),
  hasDisposableAddresses: true,
  isDisposableAddress: (sha256: string) => sha256 === hash('sha256', 'bin@example.com'),
};
const facts: DomainFacts = {
  ...unknownFacts('offline'),
  mx: known([{ hostname: 'mx.example.net', priority: 1 }]),
  spf: known('strict'),
};
const sources = { lists, facts, nowMs: 0 };
const warm = createWarmReadings();

function resultOf(text: string, blocklisted: boolean | null, readings = warm): LookupResult {
  const address = parseAddress(text);
  assert.ok(address, text);
  const subject = { domain: address.domain, address };
  return { subject, readings: readings.readingsOf(subject.domain, sources), sources, blocklisted };
}

const local = fc.constantFrom('jane', 'Info+x', 'bin', '"a b"', '"q\\"q"', 'jürgen', "o'hara");
const domain = fc.constantFrom('example.com', 'throwaway.com', 'gmial.com', 'x.example.com', 'bücher.de');
const anyOptions: fc.Arbitrary<BodyOptions> = fc.record({
  pro: fc.boolean(),
  includeMx: fc.boolean(),
  explain: fc.boolean(),
  wait: fc.constant(new Set<string>()),
});

describe('the text of a lookup', () => {
  it('the text of a lookup is the same whichever address of the domain was asked for before', () => {
    fc.assert(
      fc.property(local, domain, fc.boolean(), anyOptions, (localPart, name, listed, options) => {
        const text = `${localPart}@${name}`;
        const result = resultOf(text, options.pro ? listed : null);
        const fresh = resultOf(text, options.pro ? listed : null, createWarmReadings());
        assert.equal(emailText(result, options).text, emailText(fresh, options).text);
        assert.equal(domainText(result, options).text, domainText(fresh, options).text);
        assert.equal(JSON.parse(emailText(result, options).text).email, text);
        assert.equal(JSON.parse(domainText(result, options).text).domain, result.subject.domain.ascii);
      }),
      { numRuns: 1_000 },
    );
  });
});
