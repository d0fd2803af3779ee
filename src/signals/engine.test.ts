import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { testLists } from '../../test/lists/test-lists.ts';
import { caseDomain } from '../../test/mail/mail-zone.ts';
import { unknownFacts } from '../../test/unknown-facts.ts';
import { parseAddress } from '../address/address.ts';
import { known, unknown, valueOrNull } from '../reading.ts';
import { disposable as disposableSignal } from './domain/disposable.ts';
import { explainSignals } from './engine.ts';
import { signals } from './registry.ts';
import type { DomainFacts } from './sources.ts';
import type { Subject } from './subject.ts';

const lists = testLists({
  packages: { fakefilter: ['throwaway.com', 'nobodys.com'] },
  curated: { brands: [{ provider: 'throwaway.com', domains: ['throwaway.com'] }], roles: ['info'] },
  suggest: (name, onlyCertain) => {
    if (name === 'gmial.com') return 'gmail.com';
    return name === 'mynt.com' && onlyCertain !== true ? 'mynet.com' : null;
  },
  operator: { addresses: [hash('sha256', 'bin@mail.com')], spam: ['spammer.net'] },
});
const nothing = unknownFacts('offline');

function subjectOf(text: string): Subject {
  const address = text.includes('@') ? parseAddress(text) : null;
  return address === null ? { domain: caseDomain(text), address } : { domain: address.domain, address };
}

const sourcesWith = (facts: Partial<DomainFacts>) => ({ lists, facts: { ...nothing, ...facts }, nowMs: 0 });

function read<Name extends Exclude<keyof typeof signals, 'blocklisted'>>(
  name: Name,
  text: string,
  facts: Partial<DomainFacts> = {},
) {
  return signals[name].read(subjectOf(text), sourcesWith(facts)) as ReturnType<(typeof signals)[Name]['read']>;
}

describe('the signals of a subject', () => {
  it('the signals of a subject that only an address has do not apply to a domain', () => {
    for (const name of ['alias', 'roleAccount', 'normalizedEmail', 'disposableAddress'] as const) {
      assert.deepEqual(read(name, 'throwaway.com'), unknown('not_applicable'), name);
    }
  });

  it('the signals of a subject say that a domain is disposable or an address, and know the service behind a domain only', () => {
    const verdicts = ['a@throwaway.com', 'bin+x@mail.com', 'a@mail.com'].map((text) => {
      const disposable = read('disposable', text);
      const overall = disposableSignal.forAddress?.(disposable, subjectOf(text), sourcesWith({}));
      assert.ok(overall);
      const others = [read('disposableAddress', text), read('disposableProvider', text)];
      return [overall, disposable, ...others].map(valueOrNull<unknown>);
    });
    assert.deepEqual(verdicts, [
      [true, true, false, 'throwaway.com'],
      [true, false, true, null],
      [false, false, false, null],
    ]);
  });

  it('the signals of a subject know the service by its mail exchanger where the lists name none, and only of disposable domains', () => {
    const provider = (text: string) => valueOrNull(read('disposableProvider', text, { disposableMx: 'service.com' }));
    assert.deepEqual(['nobodys.com', 'throwaway.com', 'mail.com'].map(provider), [
      'service.com',
      'throwaway.com',
      null,
    ]);
    assert.equal(valueOrNull(read('disposableProvider', 'nobodys.com')), null);
  });

  it('the signals of a subject call spam what the operator or a zone lists; it is unknown while the zones say nothing', () => {
    const spam = (text: string, dnsbl: DomainFacts['dnsbl']) => valueOrNull(read('spam', text, { dnsbl }));
    for (const [dnsbl, unlisted] of [
      [unknown('not_applicable'), false],
      [known(false), false],
      [unknown('offline'), null],
      [unknown('failed'), null],
    ] as const) {
      assert.equal(spam('spammer.net', dnsbl), true);
      assert.equal(spam('mail.com', dnsbl), unlisted);
      assert.equal(spam('throwaway.com', dnsbl), unlisted);
    }
    assert.equal(spam('mail.com', known(true)), true);
  });

  it('the signals of a subject suggest another domain for one that receives mail only where that is certain', () => {
    const mx = known([{ hostname: 'mx.example', priority: 10 }]);
    for (const [text, facts, meant] of [
      ['gmial.com', { mx }, 'gmail.com'],
      ['mynt.com', { mx }, null],
      ['mynt.com', { mx: known([]) }, 'mynet.com'],
      ['mynt.com', {}, 'mynet.com'],
    ] as const) {
      assert.equal(valueOrNull(read('didYouMean', text, facts)), meant, text);
    }
  });

  it('the signals of a subject see a tag in the local part, with anything or nothing behind the plus', () => {
    const alias = (text: string) => valueOrNull(read('alias', text));
    assert.deepEqual(['a+b@x.com', 'a+@x.com', '+a@x.com', '"a+b"@x.com', 'a@x.com', 'a-b@x.com'].map(alias), [
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('the signals of a subject see a role in any case, tagged or quoted', () => {
    const role = (text: string) => valueOrNull(read('roleAccount', text));
    const asked = ['INFO@x.com', 'info+sales@x.com', '"info"@x.com', 'informed@x.com', 'jane@x.com'];
    assert.deepEqual(asked.map(role), [true, true, true, false, false]);
  });

  it('the signals of a subject explain themselves by their names on the wire: evidence when known, else the reason', () => {
    const explained = explainSignals(subjectOf('throwaway.com'), sourcesWith({}));
    assert.deepEqual(explained.mx, { known: false, reason: 'offline' });
    const { disposable } = explained;
    assert.ok(disposable?.known && disposable.evidence[0]?.source === 'fakefilter');
    const own = explainSignals(subjectOf('bin@mail.com'), sourcesWith({})).disposable_address;
    assert.ok(own?.known && own.evidence[0]?.source === 'operator');
  });
});
