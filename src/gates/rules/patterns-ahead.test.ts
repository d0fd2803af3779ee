import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refused } from '../../input/input.ts';
import { createProblems } from '../../input/problems.ts';
import { rulesInput } from '../gate-rules-input.ts';
import { countPatternCosts, patternCosts, regexCostOf } from './gate-patterns.ts';
import { compilePatternsAhead, regexAhead } from './patterns-ahead.ts';

const matching = (value: unknown) => ({ field: 'domain.name', operator: 'matches', value });
const rule = (...conditions: unknown[]) => ({ name: 'Rule', action: 'block', conditions });

/** Turns that are counted and never waited for. */
function countedTurns() {
  const turns = { asked: 0 };
  const yieldWhenDue = () => {
    turns.asked += 1;
    return null;
  };
  return { turns, yieldWhenDue };
}

describe('patterns that are compiled ahead', () => {
  it('patterns that are compiled ahead let others have their turn after each of them', async () => {
    const { turns, yieldWhenDue } = countedTurns();
    const other = { field: 'domain.name', operator: 'equals', value: 'example.com' };
    await compilePatternsAhead(
      { rules: [rule(matching('a'), other), rule(matching('b'), matching('c'))] },
      yieldWhenDue,
    );
    assert.equal(turns.asked, 3);
    await compilePatternsAhead(rule(matching('a'), other), yieldWhenDue);
    assert.equal(turns.asked, 4);
  });

  it('patterns that are compiled ahead are read as they are when nothing was done ahead, with the same problems', async () => {
    const values = [
      'a',
      'a(',
      'a{1000}',
      'a'.repeat(513),
      'a'.repeat(1001),
      '',
      '\u0000',
      '\ud800',
      7,
      null,
      undefined,
    ];
    const problemsOf = (rules: unknown) => {
      const problems = createProblems();
      return [rulesInput.read(rules, '', problems) === refused, problems.toFieldErrors()];
    };
    for (const value of values) {
      const [plain, ahead] = [[rule(matching(value))], [rule(matching(value))]];
      await compilePatternsAhead({ rules: ahead }, () => null);
      assert.deepEqual(problemsOf(ahead), problemsOf(plain), String(value));
    }
  });

  it('patterns that are compiled ahead are not compiled again when they are read', async () => {
    const condition = matching('a(');
    await compilePatternsAhead(rule(condition), () => null);
    assert.equal(regexAhead(condition)?.ok, false);
    // Changed behind the back of the reader: what was found ahead stands.
    condition.value = 'a';
    const problems = createProblems();
    assert.equal(rulesInput.read([rule(condition)], '', problems), refused);
    assert.equal(problems.count, 1);
  });

  it('patterns that are compiled ahead have their costs counted, so that reading and answering count nothing', async () => {
    const condition = matching('a{7}');
    await compilePatternsAhead(rule(condition), () => null);
    const { size } = patternCosts(condition) ?? {};
    // Changed behind the back of the reader: the cost that was counted ahead counts.
    condition.value = 'a';
    assert.deepEqual(regexCostOf([rule(condition)]).patterns, [{ rule: 0, condition: 0, size }]);
  });

  it('costs of the patterns of saved rules are counted with a turn after each condition', async () => {
    const { turns, yieldWhenDue } = countedTurns();
    await countPatternCosts([rule(matching('a'), matching('b')), rule(matching('c')), null], yieldWhenDue);
    assert.equal(turns.asked, 3);
  });

  it('patterns that are compiled ahead are looked for in nothing that cannot be a body, and in no more conditions than a gate has', async () => {
    const { turns, yieldWhenDue } = countedTurns();
    for (const body of [null, 7, [], { rules: {} }, { rules: [null, 7, { conditions: 'x' }], conditions: [null, 7] }]) {
      await compilePatternsAhead(body, yieldWhenDue);
    }
    assert.equal(turns.asked, 0);
    await compilePatternsAhead(rule(...Array.from({ length: 6_000 }, () => matching('a'))), yieldWhenDue);
    assert.equal(turns.asked, 5_000);
  });
});
