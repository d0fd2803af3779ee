import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import table from '../../data/normalisation.json' with { type: 'json' };
import { parseAddress } from './address.ts';
import { parseDomain } from './domain.ts';
import { normalizeAddress } from './normalize.ts';

function normalized(text: string): string {
  const address = parseAddress(text);
  assert.ok(address, text);
  return normalizeAddress(address);
}

describe('normalizeAddress', () => {
  const cases: [family: string, text: string, expected: string][] = [
    ['every domain', 'Jane.Doe@Example.COM', 'jane.doe@example.com'],
    ['every domain', 'jane+tag@example.com', 'jane@example.com'],
    ['every domain', 'jane+a+b@example.com', 'jane@example.com'],
    ['every domain', 'jane+@example.com', 'jane@example.com'],
    ['every domain', '+jane@example.com', '+jane@example.com'],
    ['every domain', '++jane@example.com', '++jane@example.com'],
    ['every domain', 'jane-doe_x.y@example.com', 'jane-doe_x.y@example.com'],
    ['every domain', 'jane@münchen.de', 'jane@xn--mnchen-3ya.de'],
    ['every domain', 'JÖRG@example.com', 'jörg@example.com'],
    ['every domain', 'jo\u0308rg@example.com', 'jörg@example.com'],
    ['quotes', '"Jane"@example.com', 'jane@example.com'],
    ['quotes', '"jane.doe+x"@example.com', 'jane.doe@example.com'],
    ['quotes', '"ja\\ne"@example.com', 'jane@example.com'],
    ['quotes', '"Jane Doe"@example.com', '"jane doe"@example.com'],
    ['quotes', '"a\\"\\\\b"@example.com', '"a\\"\\\\b"@example.com'],
    ['quotes', '"a b+tag"@example.com', '"a b"@example.com'],
    ['quotes', '".+tag"@example.com', '"."@example.com'],
    ['quotes', 'a.+tag@example.com', '"a."@example.com'],
    ['quotes', '""@example.com', '""@example.com'],
    ['Gmail', 'J.a.n.e+x@gmail.com', 'jane@gmail.com'],
    ['Gmail', 'jane.doe@googlemail.com', 'janedoe@gmail.com'],
    ['Gmail', 'jane-doe_1@gmail.com', 'jane-doe_1@gmail.com'],
    ['Gmail', '+a.b@gmail.com', '+ab@gmail.com'],
    ['Gmail', '"."@gmail.com', '"."@gmail.com'],
    ['Gmail', 'a.b@mail.gmail.com', 'a.b@mail.gmail.com'],
    ['Gmail', 'a.b@gmail.de', 'a.b@gmail.de'],
    ['Outlook', 'jane.doe+x@outlook.com', 'jane.doe@outlook.com'],
    ['Outlook', 'jane-doe+x@hotmail.co.uk', 'jane-doe@hotmail.co.uk'],
    ['Outlook', 'jane+x@live.fr', 'jane@live.fr'],
    ['Outlook', 'jane+x@msn.com', 'jane@msn.com'],
    ['Outlook', 'jane+x@passport.com', 'jane@passport.com'],
    ['Yahoo', 'jane-shop+x@yahoo.com', 'jane@yahoo.com'],
    ['Yahoo', 'jane.d-shop-two@yahoo.co.uk', 'jane.d@yahoo.co.uk'],
    ['Yahoo', 'jane+x-y@yahoo.com.br', 'jane@yahoo.com.br'],
    ['Yahoo', 'jane-x@ymail.com', 'jane@ymail.com'],
    ['Yahoo', 'jane-x@rocketmail.com', 'jane@rocketmail.com'],
    ['Yahoo', 'jane-x@myyahoo.com', 'jane@myyahoo.com'],
    ['Yahoo', '-jane@yahoo.com', '-jane@yahoo.com'],
    ['Yahoo', 'jane-x@yahoo.evil.com', 'jane-x@yahoo.evil.com'],
    ['Yahoo', 'jane-x@yahoo.github.io', 'jane-x@yahoo.github.io'],
    ['Yahoo', 'jane-x@mail.yahoo.com', 'jane-x@mail.yahoo.com'],
    ['Yahoo', 'jane-x@notyahoo.com', 'jane-x@notyahoo.com'],
    ['iCloud', 'jane.doe+x@icloud.com', 'jane.doe@icloud.com'],
    ['iCloud', 'jane+x@me.com', 'jane@icloud.com'],
    ['iCloud', 'jane@mac.com', 'jane@icloud.com'],
    ['Proton', 'Jane_D.o-e+x@proton.me', 'janedoe@proton.me'],
    ['Proton', 'jane.doe@protonmail.com', 'janedoe@proton.me'],
    ['Proton', 'jane@protonmail.ch', 'jane@proton.me'],
    ['Proton', 'jane@pm.me', 'jane@proton.me'],
    ['Proton', '-_-@proton.me', '-_-@proton.me'],
    ['Proton', '-+x@proton.me', '-@proton.me'],
    ['Fastmail', 'jane.d-e+x@fastmail.com', 'jane.d-e@fastmail.com'],
    ['Fastmail', 'jane+x@fastmail.fm', 'jane@fastmail.fm'],
    ['Fastmail', 'jane+x@sent.com', 'jane@sent.com'],
    ['Fastmail', 'shop@jane.fastmail.com', 'jane@fastmail.com'],
    ['Fastmail', 'Shop+x@Jane.fastmail.co.uk', 'jane@fastmail.co.uk'],
    ['Fastmail', '"a b"@jane.sent.com', 'jane@sent.com'],
    ['Fastmail', 'shop@a.jane.fastmail.com', 'shop@a.jane.fastmail.com'],
    ['Yandex', 'jane-doe+x@yandex.ru', 'jane.doe@yandex.ru'],
    ['Yandex', 'jane.doe@yandex.com', 'jane.doe@yandex.ru'],
    ['Yandex', 'jane-d-e@yandex.com.tr', 'jane.d.e@yandex.ru'],
    ['Yandex', 'jane@ya.ru', 'jane@yandex.ru'],
    ['a brand under a suffix that is not its own', 'jane-doe@yandex.xyz', 'jane-doe@yandex.xyz'],
    ['a brand under a suffix that is not its own', 'jane-doe@yahoo.xyz', 'jane-doe@yahoo.xyz'],
    ['Yandex', '-a@yandex.ru', '".a"@yandex.ru'],
    ['Zoho', 'a.b-c_d+x@zoho.com', 'a.b-c_d@zoho.com'],
    ['Mail.ru', 'a.b-c_d+x@mail.ru', 'a.b-c_d@mail.ru'],
    ['Mail.ru', 'a.b+x@bk.ru', 'a.b@bk.ru'],
    ['Tuta', 'a.b-c+x@tuta.com', 'a.b-c@tuta.com'],
    ['GMX', 'a.b-c+x@gmx.de', 'a.b-c@gmx.de'],
  ];
  for (const [family, text, expected] of cases) {
    it(`normalizeAddress follows the rules of ${family}: ${text} is ${expected} [S38 D110 D150 D151 D152 D153 D154 D155 D156 D157 D158]`, () =>
      assert.equal(normalized(text), expected));
  }

  const domains = fc.constantFrom(
    'example.com',
    ...table.families.flatMap(({ domains: names }) => names.slice(0, 4).map((name) => name.replace('*', 'co.uk'))),
    'jane.fastmail.com',
    'MÜNCHEN.de',
  );
  const piece = fc.constantFrom(
    'a',
    'B',
    '.',
    '-',
    '_',
    '+',
    'Ü',
    'o\u0308',
    'İ',
    'Σ',
    '\u037e',
    ' ',
    '\\"',
    '\\\\',
    '@',
  );

  it('normalizeAddress of a normalised address changes nothing', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), domains, (pieces, quoted, domain) => {
        const content = pieces.join('');
        const address = parseAddress(`${quoted ? `"${content}"` : content}@${domain}`);
        if (address === null) return;
        const once = normalizeAddress(address);
        assert.equal(normalized(once), once);
      }),
      { numRuns: 5000 },
    );
  });

  it('normalizeAddress has a table of valid domains, none of them twice, each family with a source', () => {
    const names = table.families.flatMap((family) => family.domains.map((name) => name.replace('*', 'com')));
    assert.deepEqual(
      names.filter((name) => parseDomain(name)?.ascii !== name),
      [],
    );
    assert.equal(new Set(names).size, names.length);
    assert.ok(table.families.every((family) => family.source.length > 20));
  });
});
