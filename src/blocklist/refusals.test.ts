import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorAnswer } from '../http/error-shapes.ts';
import { validationError } from './refusals.ts';

const cases: readonly { errors: Record<string, string[]>; message: string }[] = [
  { errors: { domain: ['A.'] }, message: 'A.' },
  { errors: { domain: ['A.', 'B.'] }, message: 'A. (and 1 more errors)' },
  { errors: { domain: ['A.'], domains: ['B.', 'C.'] }, message: 'A. (and 2 more errors)' },
];

test('the message of a 422 is the first error, with the number of the others [S104 D128]', () => {
  for (const { errors, message } of cases) {
    const { status, body } = errorAnswer(validationError(errors), 'blocklist', 'id');
    assert.equal(status, 422);
    assert.deepEqual(body, { message, errors });
  }
});
