import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseLabelled, score } from './accuracy.ts';

const fields = new Set(['disposable', 'did_you_mean']);

describe('a labelled file', () => {
  it('a labelled file for accuracy has a value and a label a line, a reason if there is one, comments and a heading', () => {
    const rows = parseLabelled(
      'value,label,reason\n# made up\n\na.com,disposable,"so, yes"\n"b""c"@d.com,!disposable\ne.com,did_you_mean:f.com,\n',
      fields,
    );
    assert.deepEqual(
      rows.map(({ value, field, expected, reason }) => [value, field, expected, reason]),
      [
        ['a.com', 'disposable', true, 'so, yes'],
        ['"b""c"@d.com', 'disposable', null, ''],
        ['e.com', 'did_you_mean', 'f.com', ''],
      ],
    );
  });

  it('a labelled file for accuracy is refused with the number of its first wrong line', () => {
    assert.throws(() => parseLabelled('a.com,disposable\na.com', fields), /line 2: not value,label/);
    assert.throws(() => parseLabelled('a.com,blue', fields), /line 1: there is no field for the label "blue"/);
  });
});

describe('a score', () => {
  it('an accuracy score counts found and wrongly flagged rows, and keeps the wrong rows', () => {
    const rows = parseLabelled(
      'a.com,disposable\nb.com,disposable\nc.com,!disposable\nd.com,!disposable\nx@e.com,did_you_mean:f.com\ng.com,!did_you_mean',
      fields,
    );
    const answers: Record<string, Record<string, unknown>> = {
      'a.com': { disposable: true },
      'b.com': { disposable: false },
      'c.com': { disposable: true },
      'x@e.com': { did_you_mean: 'x@f.com' },
      'g.com': { did_you_mean: null },
    };
    const { scores, wrong } = score(rows, ({ value }) => answers[value] ?? null);
    assert.deepEqual(scores, [
      { field: 'disposable', positives: 2, found: 1, negatives: 2, falsePositives: 1 },
      { field: 'did_you_mean', positives: 1, found: 1, negatives: 1, falsePositives: 0 },
    ]);
    assert.deepEqual(
      wrong.map(({ value, answer }) => [value, answer]),
      [
        ['b.com', false],
        ['c.com', true],
      ],
    );
  });
});
