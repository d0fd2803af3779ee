import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { caseDomain } from '../../test/mail/mail-zone.ts';
import { known, type Reading, unknown } from '../reading.ts';
import type { MailFacts } from '../signals/sources.ts';
import { createFacts } from './facts.ts';

const domain = caseDomain('www.example.com');
const pending = unknown('pending');
const mail: MailFacts = {
  mx: known([]),
  mxProviders: [],
  disposableMx: null,
  disposableMail: null,
  spf: pending,
  dmarc: pending,
  dnsbl: pending,
};

/** Facts whose registration date is known once `resolved` is. */
function open(resolved: Promise<void>, ranks: Readonly<Record<string, number>> = {}) {
  let date: Reading<number> = pending;
  const registration = {
    registrationOf: () => date,
    async whenKnown() {
      await resolved;
      date = known(0);
    },
    size: () => 0,
  };
  return createFacts({ mailFactsOf: () => mail, retract: () => {}, size: () => 0, bytes: () => 0 }, registration, {
    isLoaded: true,
    rank: (name) => ranks[name] ?? null,
    explain: () => [],
  });
}

describe('what the network tells', () => {
  it('facts are returned without a promise and without the registration date unless the request waits for it [D82]', () => {
    const facts = open(Promise.resolve()).factsOf(domain, { mx: true, waitForRegistrationMs: 0 });
    assert.ok(!(facts instanceof Promise));
    assert.deepEqual([facts.mx, facts.registeredAtMs], [mail.mx, pending]);
  });

  it('facts are held for the registration date when the request waits for it', async () => {
    const facts = await open(Promise.resolve()).factsOf(domain, { mx: true, waitForRegistrationMs: 10_000 });
    assert.deepEqual(facts.registeredAtMs, known(0));
  });

  it('what the network tells is held no longer than was said, and then comes without the date [D75]', {
    timeout: 10_000,
  }, async () => {
    const facts = await open(new Promise(() => {})).factsOf(domain, { mx: true, waitForRegistrationMs: 20 });
    assert.deepEqual([facts.mx, facts.registeredAtMs], [mail.mx, pending]);
  });

  it('what the network tells includes the rank of the registrable domain, and none for a suffix', () => {
    const facts = open(Promise.resolve(), { 'example.com': 7, com: 1 });
    assert.equal(facts.rank(domain), 7);
    assert.equal(facts.rank(caseDomain('co.uk')), null);
    const told = facts.factsOf(domain, { mx: true, waitForRegistrationMs: 0 });
    assert.ok(!(told instanceof Promise) && told.rank === 7);
  });
});
