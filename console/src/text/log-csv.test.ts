import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedCsv, logCsv } from './log-csv.ts';

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

test('writes the allowed decisions of a wave with their outcomes', () => {
  const decision = { decision_id: '01KA', created_at: '2026-11-15T00:00:00+00:00', gate_id: '01KG', outcome: 'bad' };
  assert.equal(
    allowedCsv([{ ...decision, email: '-a@wave.example', ip: null }]),
    `decision_id,created_at,gate_id,email,ip,outcome\r\n01KA,2026-11-15T00:00:00+00:00,01KG,'-a@wave.example,,bad\r\n`,
  );
});
