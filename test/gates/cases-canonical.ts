import { conditionCases, type GateCase } from './case.ts';

const nameCases = conditionCases('domain.name', [
  ['equals an internationalised name', 'equals', 'bücher.de', 'xn--bcher-kva.de', true],
  ['equals an internationalised name in capitals', 'equals', 'BÜCHER.de', 'xn--bcher-kva.de', true],
  [
    'equals an internationalised name that is composed otherwise',
    'equals',
    'bu\u0308cher.de',
    'xn--bcher-kva.de',
    true,
  ],
  ['equals a name in punycode and capitals', 'equals', 'XN--BCHER-KVA.DE', 'xn--bcher-kva.de', true],
  ['equals a Greek name in capitals', 'equals', 'ΛΌΓΟΣ.gr', 'xn--oxapnq6b.gr', true],
  ['equals a name with other full stops', 'equals', '例え。テスト', 'xn--r8jz45g.xn--zckzah', true],
  ['equals a name with the dot of the root', 'equals', 'bücher.de.', 'xn--bcher-kva.de', true],
  ['equals another internationalised name', 'equals', 'bücher.de', 'xn--bche-1ra.de', false],
  ['equals a name without its accent', 'equals', 'bücher.de', 'bucher.de', false],
  ['not_equals an internationalised name', 'not_equals', 'bücher.de', 'xn--bcher-kva.de', false],
  ['not_equals another internationalised name', 'not_equals', 'bücher.de', 'bucher.de', true],
  ['in a list of internationalised names', 'in', ['example.com', 'bücher.de'], 'xn--bcher-kva.de', true],
  ['in a list of other internationalised names', 'in', ['example.com', 'bücher.at'], 'xn--bcher-kva.de', false],
  ['not_in a list of internationalised names', 'not_in', ['bücher.de'], 'xn--bcher-kva.de', false],
  ['contains an internationalised label', 'contains', '.bücher.', 'www.xn--bcher-kva.de', true],
  ['contains an internationalised label of another name', 'contains', '.bücher.', 'www.bucher.de', false],
  ['not_contains an internationalised label', 'not_contains', 'bücher', 'www.xn--bcher-kva.de', false],
  ['starts_with an internationalised label', 'starts_with', 'Bücher.', 'xn--bcher-kva.de', true],
  [
    'starts_with an internationalised label that is further on',
    'starts_with',
    'bücher.',
    'www.xn--bcher-kva.de',
    false,
  ],
  ['ends_with internationalised labels', 'ends_with', '.bücher.рф', 'www.xn--bcher-kva.xn--p1ai', true],
  ['ends_with internationalised labels that are further ahead', 'ends_with', '.рф', 'xn--p1ai.com', false],
  ['equals a text that cannot be a name', 'equals', '\u0300a_\u0378', 'example.com', false],
  ['a pattern is not normalised', 'matches', 'bücher', 'xn--bcher-kva.de', false],
]);

const partCases = [
  ...conditionCases('domain.registrable', [['equals', 'equals', 'bücher.de', 'xn--bcher-kva.de', true]]),
  ...conditionCases('domain.tld', [['equals', 'equals', 'рф', 'xn--p1ai', true]]),
  ...conditionCases('domain.sld', [['equals', 'equals', 'Bücher', 'xn--bcher-kva', true]]),
  ...conditionCases('domain.subdomain', [['equals', 'equals', 'www.bücher', 'www.xn--bcher-kva', true]]),
  ...conditionCases('domain.did_you_mean', [['equals', 'equals', 'bücher.de', 'xn--bcher-kva.de', true]]),
  ...conditionCases('ip.network.domain', [['equals', 'equals', 'bücher.de', 'xn--bcher-kva.de', true]]),
  ...conditionCases('ip.geo.city', [['a text that is not a name', 'equals', 'MÜNCHEN', 'München', true]]),
].map((gateCase) => ({ ...gateCase, name: `${gateCase.name} an internationalised one` }));

const hostCases = conditionCases('domain.mx_records.*.hostname', [
  ['equals an internationalised host', 'equals', 'mx.bücher.de', ['mx.example.com', 'mx.xn--bcher-kva.de'], true],
  ['equals an internationalised host that is not there', 'equals', 'mx.bücher.de', ['mx.bucher.de'], false],
  ['not_in internationalised hosts', 'not_in', ['mx.bücher.de'], ['mx.xn--bcher-kva.de'], false],
  ['ends_with internationalised labels', 'ends_with', '.Bücher.de', ['mx.xn--bcher-kva.de'], true],
  ['contains an underscore beside an internationalised label', 'contains', '_x.bücher', ['a_x.xn--bcher-kva.de'], true],
]);

const addressCases = conditionCases('email.address', [
  ['equals, domain in Unicode and in ASCII', 'equals', 'Jane@Bücher.de', 'jane@xn--bcher-kva.de', true],
  ['equals, domain in ASCII and in Unicode', 'equals', 'jane@xn--bcher-kva.de', 'Jane@BÜCHER.de', true],
  ['equals, domain in Unicode twice', 'equals', 'jane@bücher.de', 'jane@BÜCHER.de', true],
  ['equals, another domain', 'equals', 'jane@bücher.de', 'jane@bucher.de', false],
  ['equals, the local part is not a name', 'equals', 'bücher@example.com', 'xn--bcher-kva@example.com', false],
  ['equals, both parts in Unicode', 'equals', 'JÜRGEN@bücher.de', 'jürgen@xn--bcher-kva.de', true],
  ['equals, an @ in quotes', 'equals', '"ü@ü"@bücher.de', '"ü@ü"@xn--bcher-kva.de', true],
  ['in, domain in Unicode', 'in', ['x@example.com', 'jane@bücher.de'], 'jane@xn--bcher-kva.de', true],
  ['not_in, domain in Unicode', 'not_in', ['jane@bücher.de'], 'jane@xn--bcher-kva.de', false],
  ['ends_with the @ and the domain', 'ends_with', '@bücher.de', 'jane@xn--bcher-kva.de', true],
  ['ends_with labels of the domain', 'ends_with', 'bücher.de', 'jane@Bücher.de', true],
  ['ends_with labels of another domain', 'ends_with', 'bücher.de', 'jane@bucher.de', false],
  ['starts_with the local part', 'starts_with', 'JÜR', 'jürgen@example.com', true],
  ['starts_with the local part, but it is the domain', 'starts_with', 'bücher', 'jane@bücher.de', false],
  ['contains a piece of the local part', 'contains', 'ürg', 'jürgen@example.com', true],
  ['contains a label of the domain', 'contains', 'bücher', 'jane@xn--bcher-kva.de', true],
  ['contains neither', 'contains', 'bücher', 'jane@bucher.de', false],
  ['not_contains a label of the domain', 'not_contains', 'bücher', 'jane@xn--bcher-kva.de', false],
  ['contains both sides of the @', 'contains', 'ü@bücher.', 'jü@xn--bcher-kva.de', true],
  ['a pattern is tested on what was submitted', 'matches', '@bücher\\.de$', 'jane@bücher.de', true],
]);

const normalizedCases = conditionCases('email.normalized', [
  ['equals, domain in Unicode', 'equals', 'jane@bücher.de', 'jane@xn--bcher-kva.de', true],
  ['equals, another domain in Unicode', 'equals', 'jane@bücher.at', 'jane@xn--bcher-kva.de', false],
]);

const ipCases = conditionCases('ip.address', [
  ['equals an IPv6 address in capitals with zeros', 'equals', '2001:DB8::0001', '2001:db8::1', true],
  ['equals an IPv6 address in full', 'equals', '2001:0db8:0:0:0:0:0:1', '2001:db8::1', true],
  ['equals another IPv6 address', 'equals', '2001:DB8::0010', '2001:db8::1', false],
  ['equals an IPv4-mapped address', 'equals', '::ffff:192.0.2.1', '192.0.2.1', true],
  ['equals an IPv4-mapped address in hexadecimal', 'equals', '::FFFF:C000:201', '192.0.2.1', true],
  ['equals another IPv4-mapped address', 'equals', '::ffff:192.0.2.2', '192.0.2.1', false],
  ['equals an IPv4 address with a zero too many', 'equals', '192.0.2.01', '192.0.2.1', false],
  ['not_equals an IPv4-mapped address', 'not_equals', '::ffff:192.0.2.1', '192.0.2.1', false],
  ['in a list with an IPv4-mapped address', 'in', ['2001:db8::1', '::ffff:192.0.2.1'], '192.0.2.1', true],
  ['not_in a list with an IPv6 address in capitals', 'not_in', ['2001:DB8::0001'], '2001:db8::1', false],
  ['starts_with groups in capitals with zeros', 'starts_with', '2001:0DB8:', '2001:db8::1', true],
  ['starts_with other groups', 'starts_with', '2001:0DB9:', '2001:db8::1', false],
  ['ends_with a group with zeros', 'ends_with', ':0001', '2001:db8::1', true],
  ['contains a group of zero', 'contains', ':0000:', '2001:db8:0:1:1:1:1:1', true],
]);

/** Different spellings of one name or IP address are equal. */
export const canonicalCases: readonly GateCase[] = [
  ...nameCases,
  ...partCases,
  ...hostCases,
  ...addressCases,
  ...normalizedCases,
  ...ipCases,
];
