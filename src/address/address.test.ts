import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseAddress } from './address.ts';

const local64 = 'a'.repeat(64);
/** A domain of 189 characters: with a local part of 64 the address has 254. */
const domain189 = `${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;

describe('parseAddress', () => {
  const valid: [text: string, localPart: string, domain: string, tag: string | null][] = [
    ['jane@example.com', 'jane', 'example.com', null],
    ['Jane.Doe@Example.COM', 'Jane.Doe', 'example.com', null],
    ['a@b.co', 'a', 'b.co', null],
    ['jane+news@example.com', 'jane+news', 'example.com', 'news'],
    ['jane+@example.com', 'jane+', 'example.com', ''],
    ['+x@example.com', '+x', 'example.com', 'x'],
    ['jane+a+b@example.com', 'jane+a+b', 'example.com', 'a+b'],
    ["!#$%&'*+-/=?^_`{|}~@example.com", "!#$%&'*+-/=?^_`{|}~", 'example.com', '-/=?^_`{|}~'],
    ['a/b@example.com', 'a/b', 'example.com', null],
    ['-@example.com', '-', 'example.com', null],
    ['"jane doe"@example.com', '"jane doe"', 'example.com', null],
    ['"a@b"@example.com', '"a@b"', 'example.com', null],
    ['"a\\"b"@example.com', '"a\\"b"', 'example.com', null],
    ['"a\\\\"@example.com', '"a\\\\"', 'example.com', null],
    ['"a..b"@example.com', '"a..b"', 'example.com', null],
    ['".a+b\\+c"@example.com', '".a+b\\+c"', 'example.com', 'b+c'],
    ['""@example.com', '""', 'example.com', null],
    ['" "@example.com', '" "', 'example.com', null],
    ['"(not a comment)"@example.com', '"(not a comment)"', 'example.com', null],
    ['jörg@example.com', 'jörg', 'example.com', null],
    ['用户@例え.テスト', '用户', 'xn--r8jz45g.xn--zckzah', null],
    ['"jörg müller"@example.com', '"jörg müller"', 'example.com', null],
    ['😀@example.com', '😀', 'example.com', null],
    ['jane@münchen.de', 'jane', 'xn--mnchen-3ya.de', null],
    [`${local64}@example.com`, local64, 'example.com', null],
    [`${'ü'.repeat(32)}@example.com`, 'ü'.repeat(32), 'example.com', null],
    [`${local64}@${domain189}`, local64, domain189, null],
  ];
  for (const [text, localPart, domain, tag] of valid) {
    it(`parseAddress reads ${text.slice(0, 40)} [D116]`, () => {
      const address = parseAddress(text);
      assert.ok(address);
      assert.deepEqual({ ...address, domain: address.domain.ascii }, { submitted: text, localPart, tag, domain });
    });
  }

  const invalid: [why: string, text: string][] = [
    ['empty', ''],
    ['no @', 'jane.example.com'],
    ['only @', '@'],
    ['no local part', '@example.com'],
    ['no domain', 'jane@'],
    ['one label', 'jane@localhost'],
    ['two @', 'a@b@example.com'],
    ['consecutive dots', 'a..b@example.com'],
    ['dot first', '.a@example.com'],
    ['dot last', 'a.@example.com'],
    ['leading blank', ' jane@example.com'],
    ['trailing blank', 'jane@example.com '],
    ['trailing newline', 'jane@example.com\n'],
    ['blank before @', 'jane @example.com'],
    ['blank inside', 'jane doe@example.com'],
    ['trailing dot', 'jane@example.com.'],
    ['trailing ideographic dot', 'jane@example.com。'],
    ['IPv4 literal', 'jane@[1.2.3.4]'],
    ['IPv6 literal', 'jane@[IPv6:::1]'],
    ['bare IPv4', 'jane@1.2.3.4'],
    ['comment before', '(hi)jane@example.com'],
    ['comment after', 'jane(hi)@example.com'],
    ['comment in the domain', 'jane@example.com(hi)'],
    ['display name', 'Jane <jane@example.com>'],
    ['angle brackets', '<jane@example.com>'],
    ['mailto', 'mailto:jane@example.com'],
    ['list', 'a@example.com,b@example.com'],
    ['colon', 'a:b@example.com'],
    ['semicolon', 'a;b@example.com'],
    ['backslash', 'a\\b@example.com'],
    ['bracket', 'a[b@example.com'],
    ['unclosed quote', '"jane@example.com'],
    ['unopened quote', 'jane"@example.com'],
    ['one quote', '"@example.com'],
    ['quote inside quotes', '"a"b"@example.com'],
    ['text after quotes', '"a"b@example.com'],
    ['text before quotes', 'a"b"@example.com'],
    ['quoted word in a dot-string', 'a."b"@example.com'],
    ['escaped closing quote', '"a\\"@example.com'],
    ['tab in quotes', '"a\tb"@example.com'],
    ['newline in quotes', '"a\r\nb"@example.com'],
    ['escaped control character', '"a\\\u0001"@example.com'],
    ['escaped non-ASCII character', '"a\\ü"@example.com'],
    ['NUL', 'a\0@example.com'],
    ['DEL', 'a\x7f@example.com'],
    ['DEL in quotes', '"a\x7f"@example.com'],
    ['C1 control', 'a\u0085b@example.com'],
    ['C1 control in quotes', '"a\u009f"@example.com'],
    ['no-break space', 'a\u00a0b@example.com'],
    ['soft hyphen', 'a\u00adb@example.com'],
    ['zero-width joiner between Latin letters', 'a\u200db@example.com'],
    ['joiner at the end', 'نامه\u200c@example.com'],
    ['private use', 'a\ue000b@example.com'],
    ['unassigned', 'a\u0378b@example.com'],
    ['zero-width space', 'a\u200bb@example.com'],
    ['right-to-left mark', 'a\u200fb@example.com'],
    ['line separator', 'a\u2028b@example.com'],
    ['right-to-left override', 'a\u202eb@example.com'],
    ['right-to-left override in quotes', '"a\u202eb"@example.com'],
    ['word joiner', 'a\u2060b@example.com'],
    ['isolate', 'a\u2069b@example.com'],
    ['byte order mark', '\ufeffa@example.com'],
    ['lone high surrogate', 'a\ud800@example.com'],
    ['lone low surrogate in quotes', '"\udc00"@example.com'],
    ['65 octets', `${local64}a@example.com`],
    ['66 octets in 33 characters', `${'ü'.repeat(33)}@example.com`],
    ['65 octets with quotes', `"${'a'.repeat(63)}"@example.com`],
    ['255 octets', `${local64}@${domain189}e`],
    ['255 octets as submitted', `a@${'ｅ'.repeat(60)}.${'ｅ'.repeat(23)}.com`],
    ['too long once its domain is in ASCII', `${local64}@${'例.'.repeat(30)}com`],
    ['underscore in the domain', 'jane@my_host.com'],
    ['hyphen first in the domain', 'jane@-example.com'],
  ];
  for (const [why, text] of invalid) {
    it(`parseAddress refuses ${why} [D115]`, () => assert.equal(parseAddress(text), null));
  }

  it('parseAddress has length cases that are as long as they claim', () => {
    assert.ok(parseAddress(`a@${'ｅ'.repeat(60)}.${'ｅ'.repeat(22)}.com`));
    assert.ok(parseAddress(`a@${'例.'.repeat(20)}com`));
  });

  it('parseAddress never throws, and splits what it takes without loss', () => {
    const piece = fc.constantFrom('a', '.', '"', '\\', '@', '+', ' ', 'ü', '\u202e', '\ud800', 'b.co', '[', '😀');
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((pieces) => pieces.join('')),
      fc.array(piece).map((pieces) => `${pieces.join('')}@example.com`),
      fc.emailAddress(),
    );
    fc.assert(
      fc.property(text, (candidate) => {
        const address = parseAddress(candidate);
        if (address === null) return;
        assert.equal(address.submitted, candidate);
        assert.ok(candidate.startsWith(`${address.localPart}@`));
        assert.equal(address.tag !== null, address.localPart.includes('+'));
      }),
      { numRuns: 2000 },
    );
  });

  it('parseAddress takes every address of the common form', () => {
    fc.assert(fc.property(fc.emailAddress(), (text) => text.length > 254 || parseAddress(text) !== null));
  });

  it('parseAddress refuses huge and hostile texts', () => {
    for (const unit of ['a', '"', '\\', '@', 'a@', '.', 'ü', '"a\\', '+']) {
      assert.equal(parseAddress(unit.repeat(1_000_000)), null);
      assert.equal(parseAddress(`${unit.repeat(1_000_000)}@example.com`), null);
      assert.equal(parseAddress(`a@${unit.repeat(320)}`), null);
    }
  });
});

describe('joiners in a local part', () => {
  for (const [what, local] of [
    ['Persian', 'نامه\u200cها'],
    ['Hindi', 'क्\u200dष'],
    ['an emoji of several', '👩\u200d🔬'],
    ['an emoji with a tone of skin', '👩🏽\u200d🔬'],
  ] as const) {
    it(`joiners in a local part are accepted inside a word: ${what} [D307]`, () => {
      assert.equal(parseAddress(`${local}@example.com`)?.localPart, local);
    });
  }
});
