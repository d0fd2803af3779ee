import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signalsFromFields } from '../../../test/gates/signals-from-fields.ts';
import { accept } from '../../input/accept.ts';
import { compileGate } from '../rules/evaluate.ts';
import { newRuleInput } from '../rules/rule-input.ts';
import { localPartPatterns, looseShapePattern, shapePattern } from './local-part-patterns.ts';

const localParts = ['jane', 'jane.doe', 'jane1990', 'JANE.doe12345', '7up', 'a1b2c3d4', 'xkcdqwrt', 'a.b.c', 'x', 'é9'];

describe('patterns of local parts', () => {
  it('are accepted in a rule, which matches the same local parts', () => {
    const shapes = localParts.flatMap((text) => [shapePattern(text) ?? [], looseShapePattern(text) ?? []].flat());
    for (const pattern of [...localPartPatterns.map((known) => known.pattern), ...shapes]) {
      const conditions = [{ field: 'email.local_part', operator: 'matches', value: pattern }];
      const { draft: rule } = accept(newRuleInput, { name: 'Rule', action: 'block', conditions });
      const decide = compileGate({ defaultAction: 'allow', rules: [rule] });
      for (const text of localParts) {
        const isBlocked = decide(signalsFromFields({ 'email.local_part': text })).action === 'block';
        assert.equal(isBlocked, new RegExp(pattern, 'i').test(text), `${pattern} and ${text}`);
      }
    }
  });

  for (const [text, shape, loose] of [
    ['anna1990', '^[a-z]{4}[0-9]{4}$', '^[a-z]+[0-9]{4}$'],
    ['Anna.Smith7', '^[a-z]{4}[.][a-z]{5}[0-9]{1}$', '^[a-z]+[.][a-z]+[0-9]{1}$'],
    ['a+b', null, null],
    ['a1b2c3d4', null, null],
    ['x'.repeat(41), null, null],
  ] as const) {
    it(`describe ${text} as ${shape ?? 'nothing'}`, () => {
      assert.deepEqual([shapePattern(text), looseShapePattern(text)], [shape, loose]);
    });
  }
});
