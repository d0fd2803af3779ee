import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DomainSignals } from '../../../sdk/src/index.ts';
import { readLines } from './readings.ts';
import { verdictOf } from './verdict.ts';

const good: DomainSignals = {
  status: 200,
  domain: 'example.com',
  domain_age_in_days: 10_700,
  mx: true,
  mx_records: [],
  mx_providers: [],
  spf: 'strict',
  dmarc: 'reject',
  disposable: false,
  public_domain: false,
  relay_domain: false,
  free_subdomain: false,
  spam: false,
  did_you_mean: null,
};
const verdict = (changes: Partial<DomainSignals>) => {
  const signals = { ...good, ...changes };
  return verdictOf(signals, readLines(signals));
};

test('a verdict is the most important thing to do about an address', () => {
  assert.deepEqual(verdict({}), { tone: 'allow', sentence: 'Accept it: no signal speaks against it.' });
  assert.match(verdict({ disposable: true, mx: false }).sentence, /^Reject it: the address is disposable/);
  assert.match(verdict({ mx: false }).sentence, /cannot receive mail/);
  assert.match(verdict({ did_you_mean: 'gmail.com' }).sentence, /meant gmail\.com/);
  assert.match(verdict({ domain_age_in_days: 3 }).sentence, /registered 3 days ago/);
  assert.equal(verdict({ relay_domain: true }).tone, 'challenge');
  assert.equal(verdict({ mx: null }).tone, 'unknown');
});
