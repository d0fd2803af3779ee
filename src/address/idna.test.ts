import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { toASCII, toUnicode } from 'tr46';
import { idnaForms } from './idna.ts';

const options = { checkBidi: true, checkJoiners: true, useSTD3ASCIIRules: true };

/** The two forms by the library alone, one pass for each. */
function reference(text: string) {
  const ascii = toASCII(text, options);
  return ascii === null ? null : { ascii, unicode: toUnicode(ascii, options).domain };
}

describe('idnaForms', () => {
  const texts = [
    ...['bücher.example', 'BÜCHER.Example', 'हिन्दी.भारत', 'ा.com', 'x\u00adn--mnchen-3ya.de', '\u00adा.com', '한국.kr'],
    ...['\u1112\u1161\u11ab.kr', 'مثال.إختبار', 'a.א', 'aא.com', 'ä.0x7f', 'ä.1', '⒈ä.com', '…ä', 'ﬁn.ä', 'ẞ.de'],
    ...['xn--mnchen-3ya.de', 'XN--MNCHEN-3YA.de', 'xn--abc-.de', 'xn--ä.de', 'xn--.de', 'a%41ä.de', 'ä_b.de', 'ä:80'],
    ...[
      'क\u094d\u200dष.भारत',
      'a\u200db.com',
      '١.com',
      'ä١.com',
      '',
      '.',
      'ä..de',
      '😀.ws',
      '\u{e0100}a.com',
      'ü/x.de',
    ],
  ];
  for (const text of texts) {
    it(`idnaForms agrees with tr46 on ${JSON.stringify(text)}`, () => {
      assert.deepEqual(idnaForms(text), reference(text));
    });
  }

  it('idnaForms agrees with tr46 on any text', () => {
    const unit = fc.oneof(
      fc.constantFrom(...'abzA01-.äßÄन्ि한אا١例。é\u0301\u200d'),
      fc.string({ unit: 'binary', size: 'xsmall' }),
    );
    const text = fc.array(unit, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (some) => assert.deepEqual(idnaForms(some), reference(some))),
      { numRuns: 400 },
    );
  });
});
