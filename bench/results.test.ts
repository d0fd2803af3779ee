import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withTables } from './results.ts';

describe('the tables of docs/benchmarks.md', () => {
  const result = (what: string) => ({
    measuredAt: '2026-01-02',
    machine: 'a machine',
    rows: [
      { what: 'baseline', value: 2469, unit: 'µs', ratio: 1 },
      { what, value: 1234.5, unit: 'µs', ratio: 0.5, goal: '≤ 1' },
    ],
  });

  it('tables are written between their markers with the rows of all their benches that have a goal, and the text around them is unchanged', () => {
    const before = 'Before\n\n<!-- bench: one two -->\nold\n<!-- end of bench -->\n\nAfter';
    const after = withTables(before, { one: result('first'), two: result('second') });
    assert.equal(
      after,
      'Before\n\n<!-- bench: one two -->\n\n| what | value | ratio | goal |\n|---|---|---|---|\n' +
        '| first | 1,235 µs | 0.50 | ≤ 1 |\n| second | 1,235 µs | 0.50 | ≤ 1 |\n\n' +
        'Measured on 2026-01-02: a machine.\n\n<!-- end of bench -->\n\nAfter',
    );
  });

  it('the rows of both engines are one line, SQLite first', () => {
    const rows = ['SQLite', 'PostgreSQL'].map((engine, index) => ({
      what: `${engine}: add`,
      value: index + 1,
      unit: 's',
      goal: '≤ 9',
    }));
    const after = withTables('<!-- bench: one -->\n<!-- end of bench -->', { one: { ...result(''), rows } });
    assert.match(after, /^\| add \| 1\.00 s · 2\.00 s \| {2}\| ≤ 9 \|$/m);
  });

  it('a table without results is unchanged', () => {
    const before = '<!-- bench: one -->\nold\n<!-- end of bench -->\n';
    assert.equal(withTables(before, { other: result('first') }), before);
  });
});
