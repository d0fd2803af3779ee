import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DNSResolver } from 'mailauth';
import { dmarc } from 'mailauth/lib/dmarc/index.js';
import { spf } from 'mailauth/lib/spf/index.js';
import { readDmarc } from '../src/mail/dmarc.ts';
import type { DnsAnswer } from '../src/mail/dns-source.ts';
import { readSpf } from '../src/mail/spf.ts';
import { valueOrNull } from '../src/reading.ts';
import { dmarcCases } from './mail/dmarc-cases.ts';
import { caseDomain, createZoneDns, type MailCase, type MailZone } from './mail/mail-zone.ts';
import { spfCases } from './mail/spf-cases.ts';

const deadline = { atMs: Number.POSITIVE_INFINITY };

/** mailauth evaluates a message from a sender; a sender that no mechanism matches shows the result for all others. */
const stranger = { ip: '203.0.113.99', helo: 'stranger.test', mta: 'mx.stranger.test' };

/** mailauth's SPF results and ours. */
const spfWords: Readonly<Record<string, string>> = {
  fail: 'strict',
  softfail: 'relaxed',
  neutral: 'neutral',
  pass: 'permissive',
  none: 'missing',
  permerror: 'invalid',
  temperror: 'unknown',
};

/** mailauth's differing result, and why. */
interface Difference {
  readonly mailauth: string;
  readonly because: string;
}

/** Cases with a different result in mailauth, by name. */
const spfDifferences: Readonly<Record<string, Difference>> = {
  'CIDR lengths': {
    mailauth: 'permissive',
    because: 'ip4:0.0.0.0/0 matches every sender; we report the qualifier of `all`',
  },
  'the all of an include does not count': {
    mailauth: 'permissive',
    because: 'an include that ends in +all matches every sender; we report the qualifier of the record itself',
  },
  'a redirect that depends on the sender cannot be followed': {
    mailauth: 'invalid',
    because: 'for this sender the name expands to one without a record; for another it may not',
  },
  'an include that depends on the sender cannot be followed': {
    mailauth: 'invalid',
    because: 'for this sender the name expands to one without a record; for another it may not',
  },
  'IPv6 alone is not void': {
    mailauth: 'invalid',
    because: 'the sender speaks IPv4, so an IPv6 host is void for it; we count what is void for every sender',
  },
  'SERVFAIL of an address that decides nothing': {
    mailauth: 'unknown',
    because: 'a message needs the address to match; our verdict is the same whatever the address is',
  },
  'a fault beside SERVFAIL': {
    mailauth: 'unknown',
    because: 'mailauth evaluates in order and stops at the failure; we report the fault that is certain',
  },
};
const dmarcDifferences: Readonly<Record<string, Difference>> = {
  'a space before the version': {
    mailauth: 'reject',
    because: 'mailauth trims the record; the grammar of RFC 9989 section 4.8 allows no space there',
  },
  't=y does not weaken the policy': {
    mailauth: 'quarantine',
    because: 'mailauth gives the policy to apply to a message; we report the published one',
  },
  'two own records do not inherit': {
    mailauth: 'reject',
    because: 'a receiver discards both and walks on; we report the mistake of the domain as invalid',
  },
};

/** A resolver for mailauth over the zone of a case, with the response shapes and error codes of Node. */
function resolverOver(mailZone: MailZone): DNSResolver {
  const dns = createZoneDns(mailZone);
  function unwrap<T>(answer: DnsAnswer<T>): readonly T[] {
    if (answer.kind === 'records') return answer.records;
    if (answer.kind === 'none') throw dnsError(answer.missing === 'name' ? 'ENOTFOUND' : 'ENODATA');
    throw dnsError(answer.reason === 'timeout' ? 'ETIMEOUT' : 'ESERVFAIL');
  }
  const resolve = async (name: string, type: string): Promise<unknown[]> => {
    const owner = name.toLowerCase();
    if (type === 'TXT') return unwrap(await dns.txt(owner, deadline)).map((text) => [text]);
    if (type === 'A') return [...unwrap(await dns.a(owner, deadline))];
    if (type === 'AAAA') return [...unwrap(await dns.aaaa(owner, deadline))];
    if (type !== 'MX') throw dnsError('ENOTFOUND');
    return unwrap(await dns.mx(owner, deadline)).map(({ hostname, priority }) => ({ exchange: hostname, priority }));
  };
  // mailauth's type omits the shape of MX answers, which its code expects.
  return resolve as DNSResolver;
}

function dnsError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

async function spfByMailauth(spfCase: MailCase<unknown>): Promise<string> {
  const sender = `someone@${spfCase.domain}`;
  const result = await spf({ ...stranger, sender, resolver: resolverOver(spfCase), strict: true });
  return spfWords[result.status.result] ?? result.status.result;
}

async function dmarcByMailauth(dmarcCase: MailCase<unknown>): Promise<string> {
  const options = { headerFrom: dmarcCase.domain, spfDomains: [], dkimDomains: [], strict: true };
  const result = await dmarc({ ...options, resolver: resolverOver(dmarcCase) });
  assert.ok(result);
  if (result.status.result === 'temperror') return 'unknown';
  return result.status.result === 'none' ? 'no policy' : (result.policy ?? 'no policy');
}

/** mailauth applies no DMARC to a domain without a usable record, and does not distinguish a missing from an invalid one. */
function dmarcInMailauthWords(value: string): string {
  return value === 'missing' || value === 'invalid' ? 'no policy' : value;
}

function compare(
  name: string,
  ours: string,
  mailauth: string,
  differences: Readonly<Record<string, Difference>>,
): void {
  const difference = differences[name];
  if (difference === undefined) assert.equal(mailauth, ours, 'an unexplained difference');
  else {
    assert.notEqual(mailauth, ours, 'an explanation of a difference that does not occur');
    assert.equal(mailauth, difference.mailauth, difference.because);
  }
}

describe('SPF compared with mailauth', () => {
  for (const spfCase of spfCases) {
    it(`SPF compared with mailauth: ${spfCase.name}`, async () => {
      const ours =
        valueOrNull(await readSpf(caseDomain(spfCase.domain), createZoneDns(spfCase), deadline)) ?? 'unknown';
      compare(spfCase.name, ours, await spfByMailauth(spfCase), spfDifferences);
    });
  }
});

describe('DMARC compared with mailauth', () => {
  for (const dmarcCase of dmarcCases) {
    it(`DMARC compared with mailauth: ${dmarcCase.name}`, async () => {
      const reading = await readDmarc(caseDomain(dmarcCase.domain), createZoneDns(dmarcCase), deadline);
      const ours = dmarcInMailauthWords(valueOrNull(reading) ?? 'unknown');
      compare(dmarcCase.name, ours, await dmarcByMailauth(dmarcCase), dmarcDifferences);
    });
  }
});

describe('the explanations', () => {
  it('every explained difference from mailauth belongs to an existing case, and case names are unique', () => {
    for (const [cases, differences] of [
      [spfCases, spfDifferences],
      [dmarcCases, dmarcDifferences],
    ] as const) {
      const names = cases.map((entry) => entry.name);
      assert.equal(new Set(names).size, names.length);
      for (const name of Object.keys(differences)) assert.ok(names.includes(name), name);
    }
  });
});
