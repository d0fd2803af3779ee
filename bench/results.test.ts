import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { withTables } from './results.ts';

const root = join(import.meta.dirname, '..');

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

  it('a table of different dates or machines is rejected', () => {
    const before = '<!-- bench: one two -->\nold\n<!-- end of bench -->\n';
    const [one, two] = [result('first'), { ...result('second'), measuredAt: '2026-01-03' }];
    assert.throws(() => withTables(before, { one, two }), /one two are of different machines or dates/);
  });

  it('a table names the goals that its rows miss', () => {
    const rows = [
      { what: 'SQLite: ratio above', value: 0.1, unit: 'µs', ratio: 1.2, goal: '≤ 1.1' },
      { what: 'PostgreSQL: ratio above', value: 0.1, unit: 'µs', ratio: 1, goal: '≤ 1.1' },
      { what: 'value above', value: 0.73, unit: 'µs', ratio: 0.1, goal: '≤ 0.4 µs' },
      { what: 'ratio below', value: 9, ratio: 0.3, goal: '≥ 0.48' },
      { what: 'value below', value: 150_000, unit: '/s', goal: '≥ 200,000' },
      { what: 'not none', value: 0.1, unit: '%', goal: '0 %' },
      { what: 'met', value: 0, unit: '%', goal: '0 %' },
      { what: 'met, too', value: 9, ratio: 0.9, goal: '≤ 1.00, the cost of another' },
      { what: 'in words', value: 99, unit: 'MB', ratio: 2, goal: '≤ bare + 40 MB' },
    ];
    const after = withTables('<!-- bench: one -->\n<!-- end of bench -->', { one: { ...result(''), rows } });
    assert.match(after, /^Missed goals: ratio above; value above; ratio below; value below; not none\.$/m);
  });

  it('docs/benchmarks.md has the tables of bench/results.json', () => {
    const document = readFileSync(join(root, 'docs/benchmarks.md'), 'utf8');
    assert.equal(document, withTables(document, JSON.parse(readFileSync(join(root, 'bench/results.json'), 'utf8'))));
  });

  it('a table without results is unchanged', () => {
    const before = '<!-- bench: one -->\nold\n<!-- end of bench -->\n';
    assert.equal(withTables(before, { other: result('first') }), before);
  });
});
