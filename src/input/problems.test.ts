import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProblems, maxProblems } from './problems.ts';

test('of more than 20 problems the first 20 are listed, and all are counted', () => {
  const problems = createProblems();
  for (let index = 0; index < 1000; index += 1) {
    problems.add(`conditions.${index % 500}`, `Problem ${index}.`);
  }
  const errors = problems.toFieldErrors();
  assert.equal(problems.count, 1000);
  assert.equal(Object.values(errors).flat().length, maxProblems);
  assert.deepEqual(errors['conditions.0'], ['Problem 0.']);
  assert.equal(errors['conditions.20'], undefined);
});
