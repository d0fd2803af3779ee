import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EmailSignals } from '../../../sdk/src/index.ts';
import { age, readLines } from './readings.ts';

const signals: EmailSignals = {
  status: 200,
  email: 'joe@example.com',
  normalized_email: 'joe@example.com',
  role_account: false,
  alias: false,
  domain: 'example.com',
  domain_age_in_days: 10_700,
  mx: true,
  mx_records: [
    { hostname: 'a.example', priority: 1 },
    { hostname: 'b.example', priority: 2 },
  ],
  mx_providers: [{ slug: 'google', type: 'mailbox', grade: 'business' }],
  spf: 'permissive',
  dmarc: 'none',
  disposable: false,
  public_domain: false,
  relay_domain: true,
  free_subdomain: false,
  spam: false,
  did_you_mean: null,
};

const read = (changes: Partial<EmailSignals>, signal: string) => {
  const line = readLines({ ...signals, ...changes }).find((one) => one.signal === signal);
  return line && [line.tone, line.sentence];
};

describe('a signal in words', () => {
  it('a signal in words names the mail provider, and is red only without mail servers', () => {
    assert.deepEqual(read({}, 'mx'), ['allow', 'Yes, by Google (2 MX)']);
    assert.deepEqual(read({ mx: false, mx_records: [], mx_providers: [] }, 'mx'), [
      'block',
      'No, it has no mail servers',
    ]);
  });

  it('a signal in words names the sources of a disposable domain, and marks a single source as not enough', () => {
    const evidence = [{ source: 'fakefilter' }, { source: 'mailchecker' }, { source: 'fakefilter' }];
    const explain = { disposable: { known: true, evidence } };
    assert.deepEqual(read({ disposable: true, explain }, 'disposable'), [
      'block',
      'Yes: listed by fakefilter and mailchecker',
    ]);
    const many = { disposable: { known: true, evidence: [...evidence, { source: 'emailalias' }] } };
    const itself = { disposable_provider: 'example.com' };
    assert.equal(read({ disposable: true, explain: many, ...itself }, 'disposable')?.[1], 'Yes, on 3 lists');
    const oneVote = { disposable: { known: true, evidence: [{ source: 'mailchecker' }] } };
    assert.deepEqual(read({ explain: oneVote, relay_domain: false }, 'disposable'), [
      'challenge',
      'No: mailchecker lists it, but one list alone is not enough',
    ]);
    assert.deepEqual(read({ explain: oneVote }, 'disposable'), [
      'challenge',
      'No: mailchecker lists it, but it is a relay, which is never disposable',
    ]);
    assert.deepEqual(read({}, 'disposable'), ['allow', 'No source lists it']);
  });

  it('a signal in words names what overruled a list', () => {
    const explain = { public_domain: { known: true, evidence: [{ source: 'email-providers' }] } };
    assert.deepEqual(read({ disposable: true, explain }, 'public_domain'), [
      'plain',
      'No: email-providers lists it, but it is a disposable service',
    ]);
  });

  it('a signal in words is grey with its reason when it is unknown, even if the response has false', () => {
    const explain = { spam: { known: false, reason: 'timeout' }, mx: { known: false, reason: 'pending' } };
    assert.deepEqual(read({ explain }, 'spam'), ['unknown', 'Unknown: no response in time']);
    assert.deepEqual(read({ domain_age_in_days: null }, 'domain_age_in_days'), ['unknown', 'Unknown: no reason given']);
    const pending = readLines({ ...signals, mx: null, explain }).filter(({ isPending }) => isPending);
    assert.deepEqual(
      pending.map(({ signal }) => signal),
      ['mx'],
    );
  });

  it('a signal in words has a tone by its meaning: relays are suspicious, an unenforced policy is neutral', () => {
    assert.equal(read({}, 'relay_domain')?.[0], 'challenge');
    assert.deepEqual(read({}, 'spf'), ['block', 'Permissive']);
    assert.deepEqual(read({}, 'dmarc'), ['plain', 'None']);
    assert.equal(read({ dmarc: 'missing' }, 'dmarc')?.[0], 'challenge');
  });

  it('a signal in words is omitted when the response does not have it', () => {
    assert.equal(read({}, 'tld_trust'), undefined);
  });

  it('a signal in words rates an age by how young it is', () => {
    assert.deepEqual(
      [0, 13, 14, 89, 90, 364, 365].map((days) => age(days)[0]),
      ['block', 'block', 'challenge', 'challenge', 'plain', 'plain', 'allow'],
    );
  });
});
