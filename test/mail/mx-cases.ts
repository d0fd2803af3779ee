import type { MxRecord } from '../../src/mail/dns-source.ts';
import type { MailCase, ZoneRecords } from './mail-zone.ts';

type MxCase = MailCase<readonly MxRecord[]>;
type MxPair = readonly [number, string];

const domain = 'example.com';

function mxCase(name: string, rfc: string, MX: readonly MxPair[], expected: readonly MxPair[]): MxCase {
  const records = expected.map(([priority, hostname]) => ({ hostname, priority }));
  return { name, rfc, domain, zone: { [domain]: { MX } }, expected: records };
}

function without(name: string, rfc: string, zone: Record<string, ZoneRecords>): MxCase {
  return { name, rfc, domain, zone, expected: [] };
}

/** MX records and the usable hosts among them, best first. */
export const mxCases: readonly MxCase[] = [
  mxCase('one host', 'RFC 5321 5.1', [[10, 'mx.example.com']], [[10, 'mx.example.com']]),
  mxCase(
    'sorted by priority as a number',
    'RFC 5321 5.1',
    [
      [100, 'c.example.net'],
      [20, 'b.example.net'],
      [3, 'a.example.net'],
    ],
    [
      [3, 'a.example.net'],
      [20, 'b.example.net'],
      [100, 'c.example.net'],
    ],
  ),
  mxCase(
    'equal priorities sorted by host name',
    'decision',
    [
      [10, 'z.example.net'],
      [10, 'a.example.net'],
      [10, 'm.example.net'],
    ],
    [
      [10, 'a.example.net'],
      [10, 'm.example.net'],
      [10, 'z.example.net'],
    ],
  ),
  mxCase(
    'a duplicate record is listed once',
    'decision',
    [
      [10, 'mx.example.net'],
      [10, 'MX.example.net.'],
    ],
    [[10, 'mx.example.net']],
  ),
  mxCase(
    'one host at two priorities is two records',
    'RFC 5321 5.1',
    [
      [20, 'mx.example.net'],
      [10, 'mx.example.net'],
    ],
    [
      [10, 'mx.example.net'],
      [20, 'mx.example.net'],
    ],
  ),
  mxCase('upper case is folded', 'RFC 4343 3', [[10, 'MX1.Example.NET']], [[10, 'mx1.example.net']]),
  mxCase('a trailing dot is dropped', 'RFC 1035 3.1', [[10, 'mx.example.net.']], [[10, 'mx.example.net']]),
  mxCase('a null MX is not listed', 'RFC 7505 3', [[0, '.']], []),
  mxCase('an empty host is not listed', 'RFC 7505 3', [[10, '']], []),
  mxCase(
    'a null MX beside a host leaves the host',
    'RFC 7505 3',
    [
      [0, '.'],
      [10, 'mx.example.net'],
    ],
    [[10, 'mx.example.net']],
  ),
  mxCase('an IPv4 literal is not a host', 'RFC 1035 3.3.9', [[10, '192.0.2.1']], []),
  mxCase('an IPv6 literal is not a host', 'RFC 1035 3.3.9', [[10, '2001:db8::1']], []),
  mxCase('a bracketed literal is not a host', 'RFC 1035 3.3.9', [[10, '[192.0.2.1]']], []),
  mxCase('a name with an underscore is not a host name', 'RFC 1123 2.1', [[10, 'mail_1.example.net']], []),
  mxCase('a name with a leading hyphen is not a host name', 'RFC 1123 2.1', [[10, '-mx.example.net']], []),
  mxCase('a label with a trailing hyphen is not a host name', 'RFC 1123 2.1', [[10, 'mx-.example.net']], []),
  mxCase('a name with a space is not a host name', 'RFC 1123 2.1', [[10, 'mail server.example.net']], []),
  mxCase('a URL is not a host name', 'RFC 1123 2.1', [[10, 'http://mx.example.net']], []),
  mxCase('an address is not a host name', 'RFC 1123 2.1', [[10, 'postmaster@example.net']], []),
  mxCase(
    'a name with a leading label of digits is a host name',
    'RFC 1123 2.1',
    [[10, '163mx01.163.com']],
    [[10, '163mx01.163.com']],
  ),
  mxCase('an IDN host in ASCII', 'RFC 5890 2.3.2.1', [[10, 'mx.xn--bcher-kva.de']], [[10, 'mx.xn--bcher-kva.de']]),
  mxCase(
    'priority 0 and 65535',
    'RFC 1035 3.3.9',
    [
      [65535, 'b.example.net'],
      [0, 'a.example.net'],
    ],
    [
      [0, 'a.example.net'],
      [65535, 'b.example.net'],
    ],
  ),
  without('a name that does not exist', 'RFC 2308 2.1', {}),
  without('a name with other records only', 'decision', { [domain]: { A: ['192.0.2.1'], TXT: ['v=spf1 -all'] } }),
  without('a name that exists only through names below it', 'RFC 8020 2', { 'www.example.com': { A: ['192.0.2.1'] } }),
  { name: 'SERVFAIL', rfc: 'RFC 2308 7.1', domain, zone: {}, servfail: [domain], expected: null },
  {
    name: 'no answer',
    rfc: 'RFC 2308 7.2',
    domain,
    zone: { [domain]: { MX: [[10, 'a.example.com']] } },
    silent: [domain],
    expected: null,
  },
];
