import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createProblems } from '../../input/problems.ts';
import { operatorCatalogue, type ValueShape } from './operator-catalogue.ts';
import { type FieldType, findOperator, operatorNames } from './operators.ts';

const samples = { boolean: true, integer: 1, string: 'a', 'string[]': 'a' } as const;

/** A value of a shape, for a field of a type. */
function sampleOf({ kind }: ValueShape, type: FieldType): unknown {
  const one = samples[type];
  if (kind === 'none') return undefined;
  return kind === 'one' ? one : kind === 'list' ? [one] : [one, one];
}

describe('the operator catalogue', () => {
  const catalogue = operatorCatalogue();

  it('describes every operator once, each with its own label', () => {
    assert.deepEqual(
      catalogue.map(({ name }) => name),
      operatorNames,
    );
    assert.equal(new Set(catalogue.map(({ label }) => label)).size, catalogue.length);
  });

  for (const { name, value } of catalogue) {
    for (const type of ['boolean', 'integer', 'string', 'string[]'] as const) {
      const tests = findOperator(name)[type];
      const input = tests !== undefined && 'plain' in tests ? tests.plain : tests;
      if (input === undefined) continue;
      it(`describes the value that ${name} takes on a ${type} field`, () => {
        const problems = createProblems();
        input.read(sampleOf(value, type), 'value', problems);
        assert.deepEqual(problems.toFieldErrors(), {});
      });
    }
  }

  it('marks the regular expressions, and the operators that deny', () => {
    const names = (isWanted: (row: (typeof catalogue)[number]) => boolean) =>
      catalogue.filter(isWanted).map(({ name }) => name);
    assert.deepEqual(
      names(({ value }) => value.isPattern),
      ['matches', 'not_matches'],
    );
    assert.deepEqual(
      names(({ isNegated }) => isNegated),
      ['not_equals', 'not_in', 'not_in_list', 'not_contains', 'not_matches'],
    );
  });
});
