import assert from 'node:assert/strict';
import { test } from 'node:test';
import { personText } from './person.ts';

const entry = (action: 'allow' | 'block', email: string, outcome: 'good' | 'bad' | null = null) => ({
  action,
  gate: { id: 'g' },
  input: { email },
  outcome,
});

test('the summary of a person counts decisions, gates, spellings and outcomes', () => {
  const entries = [entry('allow', 'j.ane@gmail.com', 'bad'), entry('block', 'jane@gmail.com')];
  assert.equal(
    personText(entries, false),
    '2 decisions of 1 gate about 2 spellings of the address: 1 allowed, 1 blocked, 1 reported bad.',
  );
  assert.match(personText(entries, true), /^The newest 2 decisions/);
  assert.equal(personText([], false), 'The log has no decision about this address.');
});
