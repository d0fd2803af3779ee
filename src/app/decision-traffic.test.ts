import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { placeOf } from '../gates/rules/signals.ts';
import type { Caller } from '../http/endpoint.ts';
import type { LookupResult } from '../lookups/lookup.ts';
import { known, unknown } from '../reading.ts';
import { addressSubject } from '../signals/subject.ts';
import { trait } from '../traffic/observation.ts';
import type { Visit } from '../traffic/traffic.ts';
import { createDecisionTraffic } from './decision-traffic.ts';

/** The visit that is counted for an address whose domain has this best MX. */
function visitOf(
  email: string,
  host: string | null,
  isPublic = false,
  { authority = 0, isRanked = true, ageDays = 0, sinceDays = 7, isUsual = false, isRelay = false } = {},
): Visit | undefined {
  const visits: Visit[] = [];
  const count = (visit: Visit) => {
    visits.push(visit);
    return [];
  };
  const lists = { isListed: (_list: string, name: string) => name === 'public.example' };
  const { count: read } = createDecisionTraffic(
    { count, peek: count },
    {
      firstSeen: { historyOf: () => ({ sinceDays, earlierDays: 0 }) },
      signUps: { isUsual: () => isUsual, note() {} },
    },
    lists,
  );
  const records = host === '' ? [] : [{ hostname: host ?? '', priority: 10 }];
  const result = {
    subject: addressSubject(email),
    readings: {
      mxRecords: host === null ? unknown('pending') : known(records),
      publicDomain: known(isPublic),
      relayDomain: known(isRelay),
      domainAuthority: known(authority),
      domainAge: known(ageDays),
    },
    sources: { nowMs: 0, facts: { rank: isRanked ? 7 : null } },
  } as unknown as LookupResult;
  const values = new Array<null>(8).fill(null).with(placeOf('email', 'normalized'), null);
  read(result, values, { ip: null, deviceKey: null, asn: null }, {} as Caller);
  return visits[0];
}

describe('the traffic of a decision', () => {
  const hosts: readonly (readonly [string | null, boolean, string | null, string])[] = [
    ['mx1.throwaway.co.uk', false, 'throwaway.co.uk', 'the registrable domain of the best MX'],
    ['tenant.github.io', false, 'tenant.github.io', 'the registrable domain under a private suffix'],
    ['github.io', false, 'github.io', 'the host, if it is a public suffix'],
    [null, false, null, 'unknown while the MX records are'],
    ['', false, null, 'unknown for a domain without MX records'],
    ['aspmx.l.google.com', false, null, 'unknown for the host of a recognised provider'],
    ['mx.public.example', false, null, 'unknown for the host of a public mail service'],
    ['mx.own.example', true, null, 'unknown for a public mail service'],
  ];
  for (const [host, isPublic, expected, meaning] of hosts) {
    it(`has as mail server ${meaning} [D410]`, () => {
      assert.equal(visitOf('Jane+1@Mail.Example.com', host, isPublic)?.mailServer, expected);
    });
  }

  const old = { ageDays: 1_826, sinceDays: 7, isUsual: true };
  const traits: readonly (readonly [boolean, object, number, string])[] = [
    [false, { ...old, authority: 49, ageDays: 1_825 }, 0, 'a domain that is neither public nor established'],
    [true, {}, trait.public, 'a public mail service'],
    [false, { isRelay: true }, trait.relay, 'a relay service'],
    [false, { authority: 50 }, trait.established, 'a domain with an authority of 50 by a ranking'],
    [false, { authority: 50, isRanked: false }, 0, 'a domain with an authority of 50 by its age and mail set-up'],
    [false, old, trait.established, 'a domain of five years with usual sign-ups'],
    [false, { ...old, isUsual: false }, 0, 'an old domain without usual sign-ups'],
    [false, { ...old, sinceDays: 6 }, 0, 'an old domain that is seen here for six days'],
    [false, { sinceDays: 1 }, trait.fresh, 'a domain that was first seen yesterday'],
  ];
  for (const [isPublic, facts, expected, meaning] of traits) {
    it(`has the traits and the shape of an address at ${meaning} [D424]`, () => {
      const visit = visitOf('Abcd123@Example.com', null, isPublic, facts);
      const hasShape = (expected & ~trait.fresh) === 0;
      assert.deepEqual([visit?.traits, visit?.shape], [expected, hasShape ? 'aaaa999' : null]);
    });
  }

  it('is not of a fresh domain where the domain receives no mail [D436]', () => {
    const today = { sinceDays: 0 };
    assert.equal(visitOf('a@example.com', 'mx.example.com', false, today)?.traits, trait.fresh);
    assert.equal(visitOf('a@example.com', '', false, today)?.traits, 0);
  });

  it('has the registrable domain of the address as sent, and its spelling in lower case', () => {
    const visit = visitOf('Jane+1@Mail.Bücher.example', null);
    assert.deepEqual([visit?.domain, visit?.spelling], ['xn--bcher-kva.example', 'jane+1@mail.xn--bcher-kva.example']);
  });
});
