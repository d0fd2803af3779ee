import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logCsv } from './log-csv.ts';

test('quotes cells with separators, and defuses formulas', () => {
  const entry = {
    id: '01KA',
    created_at: '2026-11-15T00:00:00+00:00',
    gate: { name: 'Sign-up, "new"' },
    input: { email: '=cmd()@example.com' },
    action: 'block',
    matched_rule: null,
  };
  assert.equal(
    logCsv([entry]),
    `id,created_at,gate,subject,ip,action,rule\r\n01KA,2026-11-15T00:00:00+00:00,"Sign-up, ""new""",'=cmd()@example.com,,block,\r\n`,
  );
});
