import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedCsv, exportName, logCsv } from './log-csv.ts';

test('quotes cells with separators, and defuses formulas', () => {
  const entry = {
    id: '01KA',
    created_at: '2026-11-15T00:00:00+00:00',
    gate: { name: 'Sign-up, "new"' },
    input: { email: '=cmd()@example.com' },
    action: 'block',
    matched_rule: null,
    outcome: 'bad',
  };
  assert.equal(
    logCsv([entry]),
    `id,created_at,gate,subject,ip,action,rule,outcome\r\n01KA,2026-11-15T00:00:00+00:00,"Sign-up, ""new""",'=cmd()@example.com,,block,,bad\r\n`,
  );
});

test('names a file by the days of its span, and by its entries where the span is open', () => {
  const day = (month: number, date: number) => new Date(2026, month, date).toISOString();
  const october = { from: day(9, 1), to: day(10, 1) };
  assert.equal(exportName('production', october, []), 'decisions_production_2026-10-01_2026-10-31');
  const entries = [{ created_at: day(10, 14) }, { created_at: day(10, 12) }];
  assert.equal(exportName('staging', {}, entries), 'decisions_staging_2026-11-12_2026-11-14');
  assert.equal(exportName('staging', { from: day(10, 14) }, entries), 'decisions_staging_2026-11-14');
});

test('writes the allowed decisions of a wave with their outcomes', () => {
  const decision = { decision_id: '01KA', created_at: '2026-11-15T00:00:00+00:00', gate_id: '01KG', outcome: 'bad' };
  assert.equal(
    allowedCsv([{ ...decision, email: '-a@wave.example', ip: null }]),
    `decision_id,created_at,gate_id,email,ip,outcome\r\n01KA,2026-11-15T00:00:00+00:00,01KG,'-a@wave.example,,bad\r\n`,
  );
});
