import type { Dmarc } from '../../src/mail/dmarc.ts';
import type { MailCase, MailZone, ZoneRecords } from './mail-zone.ts';

type DmarcCase = MailCase<Dmarc>;

const org = 'example.com';
const sub = 'mail.example.com';
const exists: ZoneRecords = { A: ['192.0.2.1'] };

/** One record, or several, at the domain itself. */
function own(name: string, rfc: string, expected: Dmarc, ...TXT: (string | string[])[]): DmarcCase {
  return { name, rfc, domain: org, zone: { [org]: exists, [`_dmarc.${org}`]: { TXT } }, expected };
}

/** Records at names above (or at) the domain, which exists unless it is left out of `others`. */
function walk(
  name: string,
  rfc: string,
  expected: Dmarc | null,
  domain: string,
  records: Readonly<Record<string, string | readonly string[]>>,
  others: Partial<MailZone> = { zone: { [domain]: exists } },
): DmarcCase {
  const published = Object.entries(records).map(
    ([owner, text]) => [`_dmarc.${owner}`, { TXT: [text].flat() }] as const,
  );
  return { name, rfc, domain, ...others, zone: { ...others.zone, ...Object.fromEntries(published) }, expected };
}

const deep = 'a.b.c.d.e.f.g.h.i.j.mail.example.com';
const gone: Partial<MailZone> = { zone: { [org]: exists } };

/** DMARC records of the domain itself. */
const ownCases: readonly DmarcCase[] = [
  own('p=reject', '9989 4.7', 'reject', 'v=DMARC1; p=reject'),
  own('p=quarantine', '9989 4.7', 'quarantine', 'v=DMARC1; p=quarantine; rua=mailto:d@example.com'),
  own('p=none', '9989 4.7', 'none', 'v=DMARC1;p=none'),
  own('no record', '9989 4.10', 'missing'),
  own('another TXT record beside it', '9989 4.10', 'reject', 'some-verification=1', 'v=DMARC1; p=reject'),
  own('only another TXT record', '9989 4.10', 'missing', 'some-verification=1'),
  own('a record in two strings', '9989 4.5', 'reject', ['v=DMARC1; p=re', 'ject; rua=mailto:d@example.com']),
  own('policy words in any case', '9989 4.8', 'reject', 'v=DMARC1; p=ReJeCt'),
  own('spaces around = and ;', '9989 4.8', 'quarantine', 'v = DMARC1 ;\tp\t=  quarantine ; '),
  own('the version tag name in upper case', '9989 4.8', 'reject', 'V=DMARC1; p=reject'),
  own('the version value is case-sensitive', '9989 4.7', 'missing', 'v=dmarc1; p=reject'),
  own('another version', '9989 4.7', 'missing', 'v=DMARC2; p=reject'),
  own('a longer version', '9989 4.7', 'missing', 'v=DMARC10; p=reject'),
  own('the version is not first', '9989 4.7', 'missing', 'p=reject; v=DMARC1'),
  own('a space before the version', '9989 4.8', 'missing', ' v=DMARC1; p=reject'),
  own('no semicolon after the version', '9989 4.8', 'missing', 'v=DMARC1 p=reject'),
  own('tags in any order', '9989 4.8', 'reject', 'v=DMARC1; rua=mailto:d@example.com; adkim=s; p=reject'),
  own('unknown tags are ignored', '9989 4.7', 'reject', 'v=DMARC1; x=1; p=reject; future=yes'),
  own('text that is not a tag is ignored', '9989 4.8', 'reject', 'v=DMARC1; nonsense; =1; p=reject;;'),
  own('invalid values of other tags are ignored', '9989 4.8', 'reject', 'v=DMARC1; p=reject; adkim=maybe; fo=9; psd=x'),
  own('pct does not weaken the policy', 'decision', 'reject', 'v=DMARC1; p=reject; pct=0'),
  own('t=y does not weaken the policy', 'decision', 'reject', 'v=DMARC1; p=reject; t=y'),
  own('sp does not matter for the domain itself', '9989 4.7', 'reject', 'v=DMARC1; p=reject; sp=none'),
  own('no p, with rua', '9989 4.10.1', 'none', 'v=DMARC1; rua=mailto:d@example.com'),
  own('no p, without rua', '9989 4.10.1', 'invalid', 'v=DMARC1'),
  own('an unknown p, with rua', '9989 4.10.1', 'none', 'v=DMARC1; p=block; rua=mailto:d@example.com'),
  own('an unknown p, without rua', '9989 4.10.1', 'invalid', 'v=DMARC1; p=block'),
  own('an empty p', '9989 4.10.1', 'invalid', 'v=DMARC1; p='),
  own('an invalid sp, with rua', '9989 4.10.1', 'none', 'v=DMARC1; p=reject; sp=all; rua=mailto:d@example.com'),
  own('an invalid sp, without rua', '9989 4.10.1', 'invalid', 'v=DMARC1; p=reject; sp=all'),
  own('an invalid np, without rua', '9989 4.10.1', 'invalid', 'v=DMARC1; p=reject; np=1'),
  own('a rua that is not a URI', '9989 4.10.1', 'invalid', 'v=DMARC1; rua=d@example.com'),
  own('one good URI among bad ones', '9989 4.10.1', 'none', 'v=DMARC1; rua=d@example.com , mailto:e@example.com!10m'),
  own('a tag twice', '6376 3.2', 'invalid', 'v=DMARC1; p=reject; p=none'),
  own('tag names are case-sensitive', '6376 3.2', 'invalid', 'v=DMARC1; P=reject'),
  own('two records', 'decision', 'invalid', 'v=DMARC1; p=reject', 'v=DMARC1; p=none'),
  own('two records, one of another version', '9989 4.10', 'reject', 'v=DMARC1; p=reject', 'v=DMARC2; p=none'),
];

/** Records above the domain, and queries without a response. */
const walkCases: readonly DmarcCase[] = [
  walk('inherits p', '9989 4.10.1', 'reject', sub, { [org]: 'v=DMARC1; p=reject' }),
  walk('inherits sp', '9989 4.10.1', 'quarantine', sub, { [org]: 'v=DMARC1; p=reject; sp=quarantine' }),
  walk('np is not for a subdomain that exists', '9989 4.7', 'none', sub, { [org]: 'v=DMARC1; p=none; np=reject' }),
  walk(
    'np is for a subdomain that does not exist',
    '9989 4.7',
    'reject',
    sub,
    { [org]: 'v=DMARC1; p=none; np=reject' },
    gone,
  ),
  walk('np before sp', '9989 4.7', 'none', sub, { [org]: 'v=DMARC1; p=reject; sp=quarantine; np=none' }, gone),
  walk('sp where there is no np', '9989 4.7', 'quarantine', sub, { [org]: 'v=DMARC1; p=none; sp=quarantine' }, gone),
  walk(
    'a name exists when a name below it exists',
    '9989 3.2.13',
    'none',
    sub,
    { [org]: 'v=DMARC1; p=none; np=reject' },
    { zone: { 'x.mail.example.com': exists } },
  ),
  walk('its own record before the one above', '9989 4.10.1', 'none', sub, {
    [sub]: 'v=DMARC1; p=none',
    [org]: 'v=DMARC1; p=reject',
  }),
  walk('its own record without a policy does not inherit', '9989 4.10.1', 'invalid', sub, {
    [sub]: 'v=DMARC1',
    [org]: 'v=DMARC1; p=reject',
  }),
  walk('the fewest labels win', '9989 4.10.2', 'reject', 'a.mail.example.com', {
    [sub]: 'v=DMARC1; p=none',
    [org]: 'v=DMARC1; p=reject',
  }),
  walk('psd=n ends the walk', '9989 4.10.2', 'none', 'a.mail.example.com', {
    [sub]: 'v=DMARC1; p=none; psd=n',
    [org]: 'v=DMARC1; p=reject',
  }),
  walk('psd=y above: one label below it is the organization', '9989 4.10.2', 'quarantine', 'a.mail.example.com', {
    [org]: 'v=DMARC1; p=quarantine',
    com: 'v=DMARC1; p=reject; psd=y',
  }),
  walk('psd=y alone: the policy of the public suffix', '9989 4.10.1', 'reject', sub, {
    com: 'v=DMARC1; p=reject; psd=y',
  }),
  walk('sp of the public suffix', '9989 4.10.1', 'none', org, { com: 'v=DMARC1; p=reject; sp=none; psd=y' }),
  walk(
    'np of the public suffix',
    '9989 4.10.1',
    'reject',
    org,
    { com: 'v=DMARC1; p=none; np=reject; psd=y' },
    { zone: {} },
  ),
  walk(
    'a record between organization and domain does not count under psd=y',
    '9989 4.10.2',
    'reject',
    'a.mail.example.com',
    { [sub]: 'v=DMARC1; p=none', com: 'v=DMARC1; p=reject; psd=y' },
  ),
  walk('a public suffix itself', '9989 4.10.1', 'quarantine', 'gov.example', {
    'gov.example': 'v=DMARC1; p=quarantine; sp=reject; psd=y',
    example: 'v=DMARC1; p=none',
  }),
  walk('a record at the top without psd', '9989 4.10.2', 'reject', sub, { com: 'v=DMARC1; p=reject' }),
  walk('an inherited record without a policy', '9989 4.10.1', 'invalid', sub, { [org]: 'v=DMARC1; adkim=s' }),
  walk('an inherited record with rua only', '9989 4.10.1', 'none', sub, {
    [org]: 'v=DMARC1; rua=mailto:d@example.com',
  }),
  walk('two records above', 'decision', 'invalid', sub, { [org]: ['v=DMARC1; p=reject', 'v=DMARC1; p=none'] }),
  walk('two records on the way are discarded', '9989 4.10', 'reject', 'a.mail.example.com', {
    [sub]: ['v=DMARC1; p=none', 'v=DMARC1; p=none'],
    [org]: 'v=DMARC1; p=reject',
  }),
  walk('two own records do not inherit', 'decision', 'invalid', sub, {
    [sub]: ['v=DMARC1; p=none', 'v=DMARC1; p=none'],
    [org]: 'v=DMARC1; p=reject',
  }),
  walk('nothing at all', '9989 4.10.1', 'missing', sub, {}),
  walk('a name that does not exist', '9989 4.10.1', 'missing', sub, {}, { zone: {} }),
  walk('thirteen labels jump to seven', '9989 4.10', 'reject', deep, {
    'g.h.i.j.mail.example.com': 'v=DMARC1; p=reject; psd=n',
  }),
  walk('no name in between is queried', '9989 4.10', 'missing', deep, {
    'f.g.h.i.j.mail.example.com': 'v=DMARC1; p=reject',
  }),
  walk('eight labels go to seven', '9989 4.10', 'reject', 'a.b.c.d.e.f.example.com', {
    'b.c.d.e.f.example.com': 'v=DMARC1; p=reject; psd=n',
  }),
  walk(
    'SERVFAIL at the domain',
    '9989 4.10.1',
    null,
    sub,
    { [org]: 'v=DMARC1; p=reject' },
    { servfail: [`_dmarc.${sub}`] },
  ),
  walk(
    'SERVFAIL above',
    '9989 4.10.1',
    null,
    'a.mail.example.com',
    { [org]: 'v=DMARC1; p=reject' },
    { servfail: [`_dmarc.${sub}`] },
  ),
  walk(
    'SERVFAIL above its own record',
    '9989 4.10.1',
    'reject',
    sub,
    { [sub]: 'v=DMARC1; p=reject' },
    { servfail: [`_dmarc.${org}`] },
  ),
  walk(
    'SERVFAIL above the end of the walk',
    '9989 4.10',
    'reject',
    'a.mail.example.com',
    { [sub]: 'v=DMARC1; p=reject; psd=n' },
    { servfail: [`_dmarc.${org}`] },
  ),
  walk('no answer at the top', '9989 4.10.1', null, sub, { [org]: 'v=DMARC1; p=reject' }, { silent: ['_dmarc.com'] }),
  walk(
    'existence unknown and needed',
    '9989 4.10.1',
    null,
    sub,
    { [org]: 'v=DMARC1; p=none; np=reject' },
    { servfail: [sub] },
  ),
  walk(
    'existence unknown and not needed',
    '9989 4.10.1',
    'reject',
    sub,
    { [org]: 'v=DMARC1; p=reject' },
    { servfail: [sub] },
  ),
];

/** Every DMARC case. */
export const dmarcCases: readonly DmarcCase[] = [...ownCases, ...walkCases];
