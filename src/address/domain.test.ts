import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseDomain } from './domain.ts';

const label63 = 'a'.repeat(63);
/** 253 characters: three labels of 63 and one of 61. */
const name253 = `${label63}.${label63}.${label63}.${'a'.repeat(61)}`;

describe('parseDomain', () => {
  const valid: [text: string, ascii: string, unicode?: string][] = [
    ['example.com', 'example.com'],
    ['EXAMPLE.Com', 'example.com'],
    ['a.b', 'a.b'],
    ['mail.example.co.uk', 'mail.example.co.uk'],
    ['example.com.', 'example.com'],
    ['example.com。', 'example.com'],
    ['example。com', 'example.com'],
    ['ｅｘａｍｐｌｅ．ｃｏｍ', 'example.com'],
    ['ab--cd.com', 'ab--cd.com'],
    ['a-b.c-d.com', 'a-b.c-d.com'],
    ['123.com', '123.com'],
    ['1.2.3.4a', '1.2.3.4a'],
    ['0x7f.1a', '0x7f.1a'],
    ['münchen.de', 'xn--mnchen-3ya.de', 'münchen.de'],
    ['MÜNCHEN.DE', 'xn--mnchen-3ya.de', 'münchen.de'],
    ['mu\u0308nchen.de', 'xn--mnchen-3ya.de', 'münchen.de'],
    ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de', 'münchen.de'],
    ['XN--MNCHEN-3YA.de', 'xn--mnchen-3ya.de', 'münchen.de'],
    ['faß.de', 'xn--fa-hia.de', 'faß.de'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah', '例え.テスト'],
    ['пример.рф', 'xn--e1afmkfd.xn--p1ai', 'пример.рф'],
    ['مثال.إختبار', 'xn--mgbh0fb.xn--kgbechtv', 'مثال.إختبار'],
    ['نامه\u200cای.com', 'xn--mgba3gch31f060k.com', 'نامه\u200cای.com'],
    [`${label63}.com`, `${label63}.com`],
    [name253, name253],
    [`${name253}.`, name253],
  ];
  for (const [text, ascii, unicode = ascii] of valid) {
    it(`parseDomain reads ${JSON.stringify(text.slice(0, 40))}`, () => {
      const domain = parseDomain(text);
      assert.equal(domain?.ascii, ascii);
      assert.equal(domain?.unicode, unicode);
    });
  }

  const invalid: [why: string, text: string][] = [
    ['empty', ''],
    ['a dot', '.'],
    ['one label', 'localhost'],
    ['one label and a dot', 'com.'],
    ['two trailing dots', 'example.com..'],
    ['leading dot', '.example.com'],
    ['empty label', 'example..com'],
    ['empty label by a mapped dot', 'example.。com'],
    ['label of 64', `${label63}a.com`],
    ['254 characters', `${name253}a`],
    ['an IDN label of more than 63', `${'ü'.repeat(60)}.com`],
    ['hyphen first', '-example.com'],
    ['hyphen last', 'example-.com'],
    ['hyphen first in the last label', 'example.-com'],
    ['hyphen last in the last label', 'example.com-'],
    ['hyphen first in an IDN label', '-münchen.de'],
    ['hyphen last in an IDN label', 'münchen-.de'],
    ['underscore', 'my_host.com'],
    ['inner space', 'exam ple.com'],
    ['leading space', ' example.com'],
    ['trailing space', 'example.com '],
    ['trailing newline', 'example.com\n'],
    ['ideographic space', 'example\u3000.com'],
    ['scheme', 'http://example.com'],
    ['port', 'example.com:80'],
    ['path', 'example.com/x'],
    ['query', 'example.com?x'],
    ['user', 'a@example.com'],
    ['fullwidth user', 'a＠example.com'],
    ['percent', 'exam%70le.com'],
    ['NUL', 'example\0.com'],
    ['wildcard', '*.example.com'],
    ['IPv4', '127.0.0.1'],
    ['IPv4 with a dot', '127.0.0.1.'],
    ['IPv4 in fullwidth digits', '１２７.０.０.１'],
    ['last label all digits', 'example.123'],
    ['hexadecimal IPv4', '0x7f.1'],
    ['IPv6', '::1'],
    ['IPv6 literal', '[::1]'],
    ['punycode of nothing', 'xn--.com'],
    ['punycode of ASCII', 'xn--example-.com'],
    ['broken punycode', 'xn--a-\u00fc.com'],
    ['undecodable punycode', 'xn--99999999.com'],
    ['punycode of an unmapped capital', 'xn--mnchen-psa.de'],
    ['punycode inside punycode', 'xn--xn--a-gua.com'],
    ['mixed direction', 'a\u05d0.com'],
    ['ZWJ out of place', 'a\u200db.com'],
    ['leading combining mark', '\u0301a.com'],
    ['unassigned code point', '\u{e0fff}.com'],
    ['lone surrogate', '\ud800.com'],
    ['left-to-right override', 'exa\u202emple.com'],
  ];
  for (const [why, text] of invalid) {
    it(`parseDomain refuses ${why}: ${JSON.stringify(text.slice(0, 40))} [D111 D112 D113]`, () =>
      assert.equal(parseDomain(text), null));
  }

  it('parseDomain refuses a trailing dot when the options say so', () => {
    assert.equal(parseDomain('example.com.', { trailingDot: false }), null);
    assert.equal(parseDomain('example.com。', { trailingDot: false }), null);
    assert.equal(parseDomain('example.com', { trailingDot: false })?.ascii, 'example.com');
  });

  it('parseDomain refuses more than 320 characters, and a megabyte without parsing it', () => {
    // Soft hyphens vanish under UTS 46, so only the length can be the reason.
    assert.equal(parseDomain(`example${'\u00ad'.repeat(309)}.com`)?.ascii, 'example.com');
    assert.equal(parseDomain(`example${'\u00ad'.repeat(310)}.com`), null);
    for (const unit of ['a', '.', 'a.', 'ü', '\u200c', 'xn--', '-']) {
      assert.equal(parseDomain(unit.repeat(1_000_000)), null);
      parseDomain(unit.repeat(320 / unit.length));
    }
  });

  const parts: [text: string, tld: string, sld: string | null, subdomain: string | null, privateSuffix: boolean][] = [
    ['example.com', 'com', 'example', null, false],
    ['a.b.example.com', 'com', 'example', 'a.b', false],
    ['shop.example.co.uk', 'co.uk', 'example', 'shop', false],
    ['co.uk', 'co.uk', null, null, false],
    ['jane.github.io', 'github.io', 'jane', null, true],
    ['blog.jane.github.io', 'github.io', 'jane', 'blog', true],
    ['github.io', 'github.io', null, null, true],
    ['example.unlisted', 'unlisted', 'example', null, false],
    ['www.münchen.de', 'de', 'xn--mnchen-3ya', 'www', false],
    ['пример.рф', 'xn--p1ai', 'xn--e1afmkfd', null, false],
  ];
  for (const [text, tld, sld, subdomain, privateSuffix] of parts) {
    it(`parseDomain splits ${text}`, () => {
      const domain = parseDomain(text);
      assert.ok(domain);
      const registrable = sld === null ? null : `${sld}.${tld}`;
      const { ascii, unicode, ...rest } = domain;
      assert.deepEqual(rest, { tld, sld, subdomain, registrable, privateSuffix });
      assert.equal(ascii, [subdomain, sld, tld].filter((part) => part !== null).join('.'));
      assert.ok(unicode);
    });
  }

  it('parseDomain never throws, and gives a name it reads back to the same thing', () => {
    const label = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'abzAZ019-ü.ßñ例\u200d\u05d0\u0661') }),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ unit: fc.constantFrom('xn--', 'a', '1', '-', 'ü', 'Ä') }),
    );
    const text = fc.oneof(
      fc.domain(),
      fc.array(label, { maxLength: 5 }).map((labels) => labels.join('.')),
    );
    fc.assert(
      fc.property(text, (candidate) => {
        const domain = parseDomain(candidate);
        if (domain === null) return;
        assert.match(domain.ascii, /^[a-z0-9.-]{3,253}$/);
        assert.deepEqual(parseDomain(domain.ascii), domain);
        assert.deepEqual(parseDomain(domain.unicode), domain);
        assert.deepEqual(parseDomain(`${domain.ascii}.`), domain);
      }),
      { numRuns: 2000 },
    );
  });
});
