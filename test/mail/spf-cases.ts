import type { Spf } from '../../src/mail/spf.ts';
import type { MailCase, MailZone, ZoneRecords } from './mail-zone.ts';

type SpfCase = MailCase<Spf>;

const domain = 'example.com';
const host: ZoneRecords = { A: ['192.0.2.1'] };
const plain: ZoneRecords = { TXT: ['v=spf1 ip4:192.0.2.0/24 -all'] };

/** A record at the domain, other names beside it. */
function record(
  name: string,
  rfc: string,
  expected: Spf | null,
  text: string | readonly string[],
  others: Partial<MailZone> = {},
): SpfCase {
  const zone = { [domain]: { TXT: [text], ...host, MX: [[10, 'mx.example.com']] as const }, ...others.zone };
  return { name, rfc, domain, ...others, zone, expected };
}

function several(name: string, rfc: string, expected: Spf, ...TXT: string[]): SpfCase {
  return { name, rfc, domain, zone: { [domain]: { TXT } }, expected };
}

/** `count` records at s0.example.net and on, each with the given text. */
function siblings(count: number, text = 'v=spf1 ip4:192.0.2.0/24 -all'): Record<string, ZoneRecords> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}.example.net`, { TXT: [text] }]));
}

function includes(count: number): string {
  return Array.from({ length: count }, (_, i) => `include:s${i}.example.net`).join(' ');
}

/** A chain of `count` names, each redirecting or including the next, the last one plain. */
function chain(count: number, term: (next: string) => string): Record<string, ZoneRecords> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `c${i}.example.net`,
      i === count - 1 ? plain : { TXT: [`v=spf1 ${term(`c${i + 1}.example.net`)}`] },
    ]),
  );
}

function mxHosts(count: number): ZoneRecords {
  return { MX: Array.from({ length: count }, (_, i) => [10, `mx${i}.example.net`] as const) };
}

const selection: readonly SpfCase[] = [
  record('-all', '7208 5.1', 'strict', 'v=spf1 -all'),
  record('~all', '7208 5.1', 'relaxed', 'v=spf1 mx ~all'),
  record('?all', '7208 5.1', 'neutral', 'v=spf1 a ?all'),
  record('+all', '7208 5.1', 'permissive', 'v=spf1 +all'),
  record('all without a qualifier', '7208 4.6.2', 'permissive', 'v=spf1 all'),
  record('no all', '7208 4.7', 'neutral', 'v=spf1 ip4:192.0.2.0/24'),
  record('the version alone', '7208 4.5', 'neutral', 'v=spf1'),
  record('spaces at the end', '7208 4.5', 'strict', 'v=spf1   mx   -all  '),
  record('any case', '7208 4.6.1', 'strict', 'V=SPF1 MX Include:S0.Example.NET -ALL', { zone: siblings(1) }),
  record('a record in two strings', '7208 3.3', 'relaxed', ['v=spf1 ip4:192.0.2.', '0/24 ~all']),
  record('no version', '7208 4.5', 'missing', '-all'),
  record('a longer version', '7208 4.5', 'missing', 'v=spf10 -all'),
  record('Sender ID is another protocol', '7208 4.5', 'missing', 'spf2.0/pra -all'),
  record('a space before the version', '7208 4.5', 'missing', ' v=spf1 -all'),
  record('a tab after the version', '7208 4.5', 'missing', 'v=spf1\t-all'),
  { name: 'no TXT record', rfc: '7208 4.4', domain, zone: { [domain]: host }, expected: 'missing' },
  { name: 'a name that does not exist', rfc: '7208 4.4', domain, zone: {}, expected: 'missing' },
  several('another TXT record beside it', '7208 4.5', 'strict', 'some-verification=1', 'v=spf1 -all'),
  several('two records', '7208 4.5', 'invalid', 'v=spf1 -all', 'v=spf1 ~all'),
  several('the same record twice', '7208 4.5', 'invalid', 'v=spf1 -all', 'v=spf1 -all'),
];

const syntax: readonly SpfCase[] = [
  record(
    'every mechanism',
    '7208 5',
    'strict',
    'v=spf1 a mx ptr ip4:192.0.2.1 ip6:2001:db8::/32 include:s0.example.net exists:%{i}.x.example.net -all',
    { zone: siblings(1) },
  ),
  record(
    'CIDR lengths',
    '7208 5.6',
    'strict',
    'v=spf1 a/24 a//64 a/24//64 mx:example.com/0//128 ip4:0.0.0.0/0 ip6:::/0 -all',
  ),
  record('an unknown mechanism', '7208 4.6', 'invalid', 'v=spf1 foo -all'),
  record('an unknown mechanism after all', '7208 4.6', 'invalid', 'v=spf1 -all foo:bar.example.net'),
  record('a comma between terms', '7208 4.6.1', 'invalid', 'v=spf1 a, mx -all'),
  record('a tab between terms', '7208 4.6.1', 'invalid', 'v=spf1 a\tmx -all'),
  record('a letter outside ASCII', '7208 4.6.1', 'invalid', 'v=spf1 a:bücher.example.net -all'),
  record('two qualifiers', '7208 4.6.1', 'invalid', 'v=spf1 --all'),
  record('all with a value', '7208 5.1', 'invalid', 'v=spf1 all:example.net'),
  record('include without a name', '7208 5.2', 'invalid', 'v=spf1 include -all'),
  record('include with an empty name', '7208 5.2', 'invalid', 'v=spf1 include: -all'),
  record('include of one label', '7208 7.1', 'invalid', 'v=spf1 include:localhost -all'),
  record('exists without a name', '7208 5.7', 'invalid', 'v=spf1 exists -all'),
  record('a top label of digits', '7208 7.1', 'invalid', 'v=spf1 a:192.0.2.1 -all'),
  record('a CIDR length that is too long', '7208 5.3', 'invalid', 'v=spf1 a/33 -all'),
  record('a CIDR length with a leading zero', '7208 12', 'invalid', 'v=spf1 a/08 -all'),
  record('ip4 without an address', '7208 5.6', 'invalid', 'v=spf1 ip4 -all'),
  record('ip4 with three parts', '7208 5.6', 'invalid', 'v=spf1 ip4:192.0.2 -all'),
  record('ip4 out of range', '7208 5.6', 'invalid', 'v=spf1 ip4:192.0.2.256 -all'),
  record('ip4 with a leading zero', '7208 12', 'invalid', 'v=spf1 ip4:192.0.02.1 -all'),
  record('ip4 with an IPv6 address', '7208 5.6', 'invalid', 'v=spf1 ip4:2001:db8::1 -all'),
  record('ip4 with /33', '7208 5.6', 'invalid', 'v=spf1 ip4:192.0.2.0/33 -all'),
  record('ip6 with /129', '7208 5.6', 'invalid', 'v=spf1 ip6:2001:db8::/129 -all'),
  record('ip6 with a dotted quad at the end', '4291 2.2', 'strict', 'v=spf1 ip6:::ffff:192.0.2.1/96 -all'),
  record('ip6 with two gaps', '4291 2.2', 'invalid', 'v=spf1 ip6:2001::db8::1 -all'),
  record('ptr with a CIDR length', '7208 5.5', 'invalid', 'v=spf1 ptr/24 -all'),
  record('an unknown modifier', '7208 6', 'strict', 'v=spf1 moo=%{t}cow future= -all'),
  record('a modifier named like a mechanism', '7208 6', 'strict', 'v=spf1 ip4=192.0.2.1 -all'),
  record('an unknown modifier with a broken macro', '7208 7.1', 'invalid', 'v=spf1 moo=%cow -all'),
  record('exp is not followed', '7208 6.2', 'strict', 'v=spf1 -all exp=nowhere.example.net'),
  record('exp twice', '7208 6', 'invalid', 'v=spf1 -all exp=a.example.net exp=b.example.net'),
  record('redirect twice', '7208 6', 'invalid', 'v=spf1 redirect=s0.example.net redirect=s0.example.net', {
    zone: siblings(1),
  }),
  record('exp without a name', '7208 6.2', 'invalid', 'v=spf1 -all exp='),
  record('macros', '7208 7.1', 'strict', 'v=spf1 exists:%{l1r+-}.%{ir}.%{v}._spf.%{d2} exists:%%%_%-.example.net -all'),
  record('an unknown macro letter', '7208 7.1', 'invalid', 'v=spf1 exists:%{x}.example.net -all'),
  record('a macro with zero parts', '7208 7.3', 'invalid', 'v=spf1 exists:%{d0}.example.net -all'),
  record('an open macro', '7208 7.1', 'invalid', 'v=spf1 exists:%{d.example.net -all'),
  record('a bare percent sign', '7208 7.1', 'invalid', 'v=spf1 exists:%.example.net -all'),
  record('an explanation macro in a name', '7208 7.2', 'invalid', 'v=spf1 exists:%{c}.example.net -all'),
];

const tree: readonly SpfCase[] = [
  record('include of a record', '7208 5.2', 'relaxed', 'v=spf1 include:s0.example.net ~all', { zone: siblings(1) }),
  record('the all of an include does not count', '7208 5.2', 'strict', 'v=spf1 include:s0.example.net -all', {
    zone: siblings(1, 'v=spf1 +all'),
  }),
  record('include of a name without SPF', '7208 5.2', 'invalid', 'v=spf1 include:www.example.net -all', {
    zone: { 'www.example.net': host },
  }),
  record('include of a name that does not exist', '7208 5.2', 'invalid', 'v=spf1 include:nowhere.example.net -all'),
  record('include of two records', '7208 5.2', 'invalid', 'v=spf1 include:s0.example.net -all', {
    zone: { 's0.example.net': { TXT: ['v=spf1 -all', 'v=spf1 ~all'] } },
  }),
  record('include of a broken record', '7208 5.2', 'invalid', 'v=spf1 include:s0.example.net -all', {
    zone: siblings(1, 'v=spf1 foo'),
  }),
  record('include of itself', '7208 4.6.4', 'invalid', 'v=spf1 include:example.com -all'),
  record('include in a circle', '7208 4.6.4', 'invalid', 'v=spf1 include:s0.example.net -all', {
    zone: siblings(1, 'v=spf1 include:example.com -all'),
  }),
  record(
    'one include on two ways is no loop',
    '7208 5.2',
    'strict',
    'v=spf1 include:s0.example.net include:s1.example.net -all',
    { zone: { ...siblings(2, 'v=spf1 include:x.example.net -all'), 'x.example.net': plain } },
  ),
  record(
    'include of a name too long for a label',
    '7208 4.3',
    'invalid',
    `v=spf1 include:${'x'.repeat(64)}.example.net -all`,
  ),
  record('redirect is followed', '7208 6.1', 'strict', 'v=spf1 mx redirect=s0.example.net', { zone: siblings(1) }),
  record('redirect over redirect', '7208 6.1', 'strict', 'v=spf1 redirect=c0.example.net', {
    zone: chain(3, (next) => `redirect=${next}`),
  }),
  record('redirect at any position', '7208 6', 'relaxed', 'v=spf1 redirect=s0.example.net mx', {
    zone: siblings(1, 'v=spf1 ~all'),
  }),
  record('redirect beside all is ignored', '7208 6.1', 'relaxed', 'v=spf1 ~all redirect=nowhere.example.net'),
  record('redirect to a name without SPF', '7208 6.1', 'invalid', 'v=spf1 redirect=nowhere.example.net'),
  record('redirect to itself', '7208 4.6.4', 'invalid', 'v=spf1 redirect=example.com'),
  record('a redirect with a macro of the domain', '7208 7.2', 'relaxed', 'v=spf1 redirect=%{d1r}._spf.%{d2}', {
    zone: { 'example._spf.example.com': { TXT: ['v=spf1 ~all'] } },
  }),
  record('the sender domain stays that of the start', '7208 7.2', 'relaxed', 'v=spf1 redirect=s0.example.net', {
    zone: {
      's0.example.net': { TXT: ['v=spf1 redirect=%{o}.%{d}'] },
      'example.com.s0.example.net': { TXT: ['v=spf1 ~all'] },
    },
  }),
  record(
    'a redirect that depends on the sender cannot be followed',
    'decision',
    'neutral',
    'v=spf1 redirect=%{l}.example.net',
  ),
  record(
    'an include that depends on the sender cannot be followed',
    'decision',
    'strict',
    'v=spf1 include:%{i}.example.net -all',
  ),
];

const limits: readonly SpfCase[] = [
  record('ten includes', '7208 4.6.4', 'strict', `v=spf1 ${includes(10)} -all`, { zone: siblings(10) }),
  record('eleven includes', '7208 4.6.4', 'invalid', `v=spf1 ${includes(11)} -all`, { zone: siblings(11) }),
  record('lookups of includes count', '7208 4.6.4', 'invalid', `v=spf1 ${includes(4)} -all`, {
    zone: siblings(4, 'v=spf1 a:example.com mx:example.com -all'),
  }),
  record('a chain of eleven includes', '7208 4.6.4', 'invalid', 'v=spf1 include:c0.example.net -all', {
    zone: chain(11, (next) => `include:${next} -all`),
  }),
  record('redirect counts', '7208 4.6.4', 'invalid', `v=spf1 ${includes(10)} redirect=x.example.net`, {
    zone: { ...siblings(10), 'x.example.net': plain },
  }),
  record(
    'ptr and exists count',
    '7208 4.6.4',
    'invalid',
    `v=spf1 ${'ptr '.repeat(6)}${'exists:%{i}.example.net '.repeat(5)}-all`,
  ),
  record(
    'ip4, ip6 and exp do not count',
    '7208 4.6.4',
    'strict',
    `v=spf1 ${includes(10)} ${'ip4:192.0.2.1 '.repeat(20)}exp=x.example.net -all`,
    { zone: siblings(10) },
  ),
  record('terms after all do not count', '7208 5.1', 'strict', `v=spf1 -all ${includes(11)}`),
  record(
    'a name that depends on the sender costs a lookup',
    '7208 4.6.4',
    'invalid',
    `v=spf1 ${'exists:%{p}.example.net '.repeat(6)}-all`,
  ),
  record('two void lookups', '7208 4.6.4', 'strict', 'v=spf1 a:n1.example.net a:n2.example.net -all'),
  record(
    'three void lookups',
    '7208 4.6.4',
    'invalid',
    'v=spf1 a:n1.example.net exists:n2.example.net mx:n3.example.net -all',
  ),
  record(
    'three void MX lookups',
    '7208 4.6.4',
    'invalid',
    'v=spf1 mx:n1.example.net mx:n2.example.net mx:n3.example.net -all',
  ),
  record(
    'void lookups of an include count',
    '7208 4.6.4',
    'invalid',
    'v=spf1 a:n1.example.net include:s0.example.net -all',
    { zone: siblings(1, 'v=spf1 a:n2.example.net a:n3.example.net -all') },
  ),
  record(
    'IPv6 alone is not void',
    '7208 4.6.4',
    'strict',
    'v=spf1 a:n1.example.net a:n2.example.net a:six.example.net -all',
    { zone: { 'six.example.net': { AAAA: ['2001:db8::1'] } } },
  ),
  record(
    'exists queries IPv4 only',
    '7208 5.7',
    'invalid',
    'v=spf1 a:n1.example.net a:n2.example.net exists:six.example.net -all',
    { zone: { 'six.example.net': { AAAA: ['2001:db8::1'] } } },
  ),
  record(
    'void lookups after all are not made',
    '7208 5.1',
    'strict',
    'v=spf1 -all a:n1.example.net a:n2.example.net a:n3.example.net',
  ),
  record('ten MX hosts', '7208 4.6.4', 'strict', 'v=spf1 mx:many.example.net -all', {
    zone: { 'many.example.net': mxHosts(10) },
  }),
  record('eleven MX hosts', '7208 4.6.4', 'invalid', 'v=spf1 mx:many.example.net -all', {
    zone: { 'many.example.net': mxHosts(11) },
  }),
];

const failures: readonly SpfCase[] = [
  { name: 'SERVFAIL', rfc: '7208 4.4', domain, zone: {}, servfail: [domain], expected: null },
  { name: 'no answer', rfc: '7208 4.4', domain, zone: { [domain]: plain }, silent: [domain], expected: null },
  record('SERVFAIL in an include', '7208 5.2', null, 'v=spf1 include:s0.example.net -all', {
    servfail: ['s0.example.net'],
  }),
  record('no answer in a redirect', '7208 6.1', null, 'v=spf1 redirect=s0.example.net', { silent: ['s0.example.net'] }),
  record('SERVFAIL of an MX', '7208 5.4', null, 'v=spf1 mx:s0.example.net -all', { servfail: ['s0.example.net'] }),
  record('SERVFAIL of an address that decides nothing', 'decision', 'strict', 'v=spf1 a:s0.example.net -all', {
    servfail: ['s0.example.net'],
  }),
  record(
    'SERVFAIL of an address that could be the third void lookup',
    '7208 4.6.4',
    null,
    'v=spf1 a:n1.example.net a:n2.example.net a:s0.example.net -all',
    { servfail: ['s0.example.net'] },
  ),
  record(
    'a fault beside SERVFAIL',
    '7208 4.6',
    'invalid',
    'v=spf1 include:s0.example.net include:nowhere.example.net -all',
    { servfail: ['s0.example.net'] },
  ),
  record('a syntax error beside SERVFAIL', '7208 4.6', 'invalid', 'v=spf1 include:s0.example.net foo -all', {
    servfail: ['s0.example.net'],
  }),
  record('an include after all is not queried', '7208 5.1', 'strict', 'v=spf1 -all include:s0.example.net', {
    servfail: ['s0.example.net'],
  }),
];

/** Every SPF case. */
export const spfCases: readonly SpfCase[] = [...selection, ...syntax, ...tree, ...limits, ...failures];
