import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  idsInName,
  idsInSource,
  misplacedIds,
  problemsOfRun,
  problemsOfSources,
  readRules,
} from '../scripts/conformance-rules.ts';

// Tags are built at run time, so that the check does not count these examples as ids of this file.
const tag = (...ids: string[]) => `[${ids.join(' ')}]`;
const sourceOf = (...names: string[]) => names.map((name) => `it('${name}', () => {});`).join('\n');
const tables = (...rows: string[]) => ['| ID | rule |', '|---|---|', ...rows].join('\n');
const rules = readRules(tables('| X1 | a `\\|` is kept |', '| X2 | (to come) two |'));

describe('the conformance check', () => {
  it('the conformance check reads ids and rules from the rows, and which are planned', () => {
    assert.deepEqual(rules, [
      { id: 'X1', rule: 'a `\\|` is kept', isOpen: false },
      { id: 'X2', rule: '(to come) two', isOpen: true },
    ]);
  });

  it('the conformance check reads ids only at the end of a name', () => {
    assert.deepEqual(idsInSource(sourceOf(`a ${tag('X1', 'X2')}`, 'b [X3] c', 'd', 'e [12]')), ['X1', 'X2']);
    assert.deepEqual(idsInName(`a ${tag('X1', 'X2')}`), ['X1', 'X2']);
    assert.deepEqual(idsInName('b [X3] c'), []);
  });

  it('the conformance check reports ids in names that a helper turns into a test', () => {
    const source = `${sourceOf(`a ${tag('X1')}`)}\nflow(\n  'b ${tag('X2', 'X3')}',\n  work,\n);`;
    assert.deepEqual(misplacedIds(source), [
      { id: 'X2', callee: 'flow' },
      { id: 'X3', callee: 'flow' },
    ]);
  });

  it('the conformance check passes when every rule has a test and every id has a rule', () => {
    assert.deepEqual(problemsOfSources(rules, new Map([['a.test.ts', ['X1', 'X1']]])), []);
  });

  for (const [what, table, carried, problem] of [
    ['a rule that no test carries', tables('| X1 | one |'), [], 'X1: no test carries it'],
    [
      'an id that the table lacks',
      tables('| X1 | one |'),
      ['X1', 'X9'],
      'X9: in a.test.ts, but not in test/conformance.md',
    ],
    ['a rule to come that has a test', tables('| X1 | (to come) one |'), ['X1'], 'X1: has a test, yet is to come'],
    ['an id that two rows have', tables('| X1 | one |', '| X1 | two |'), ['X1'], 'X1: twice'],
    ['a row without a rule', tables('| X1 |  |'), ['X1'], 'X1: no rule'],
    ['a table without rows', tables(), [], 'test/conformance.md has no rows'],
  ] as const) {
    it(`the conformance check reports ${what}`, () => {
      assert.deepEqual(problemsOfSources(readRules(table), new Map([['a.test.ts', carried]])), [problem]);
    });
  }
});

describe('the conformance check of a run', () => {
  const carried = new Map([
    ['a.test.ts', ['X1']],
    ['b.test.ts', ['X1']],
  ]);
  const passed = { file: 'a.test.ts', name: `first ${tag('X1')}`, outcome: 'passed' } as const;

  it('the conformance check of a run reports a file whose tests no longer carry the id, even when another file covers the rule', () => {
    const other = { file: 'b.test.ts', name: 'second', outcome: 'passed' } as const;
    assert.deepEqual(problemsOfRun(carried, [passed, other], false), ['X1: no test of b.test.ts ran for it']);
  });

  for (const name of [`a test ${tag('X1')}`, 'a suite']) {
    it(`the conformance check of a run accepts a file in which ${name} was skipped only where skipping is allowed`, () => {
      const skipped = { file: 'b.test.ts', name, outcome: 'skipped' } as const;
      assert.deepEqual(problemsOfRun(carried, [passed, skipped], true), []);
      assert.deepEqual(problemsOfRun(carried, [passed, skipped], false), ['X1: no test of b.test.ts ran for it']);
    });
  }

  it('the conformance check of a run ignores a failed test, because the run has failed already', () => {
    const failed = { file: 'b.test.ts', name: `second ${tag('X1')}`, outcome: 'failed' } as const;
    assert.deepEqual(problemsOfRun(carried, [passed, failed], false), []);
  });
});
