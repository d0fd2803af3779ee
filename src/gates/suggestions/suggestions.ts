import { AppError } from '../../errors.ts';
import { createYielder } from '../../platform/yielding.ts';
import { firstIdAt } from '../../ulid.ts';
import type { DecisionsStore, LogFilter } from '../decisions/decisions-store.ts';
import { fromLoggedRow, type LoggedDecision } from '../decisions/logged-decision.ts';
import { outcomeNames } from '../decisions/outcome.ts';
import { type CountOutcomes, totalOutcomes } from '../decisions/outcome-totals.ts';
import { scanLog } from '../decisions/scan-log.ts';
import type { Action } from '../rules/action.ts';
import type { Condition } from '../rules/condition.ts';
import { findField } from '../rules/fields.ts';
import { findOperator } from '../rules/operators.ts';
import { type DerivedRule, deriveRules } from './derive-rules.ts';
import { createExampleTable } from './example-table.ts';
import type { SuggestionsRequest } from './suggestions-endpoints.ts';

/** A rule that would have stopped bad entries, and the allowed decisions it matches. */
export interface Suggestion {
  readonly rule: {
    readonly name: string;
    readonly match: 'all';
    readonly action: Action;
    readonly conditions: readonly Condition[];
  };
  readonly stopsBad: number;
  readonly stopsGood: number;
  readonly stopsUnknown: number;
  /** Some of the decisions, bad ones first. */
  readonly examples: readonly LoggedDecision[];
}

export interface SuggestionsParts {
  readonly decisions: Pick<DecisionsStore, 'listOf'>;
  readonly outcomes: CountOutcomes;
  readonly monotonicMs: () => number;
}

/** Outcomes of each kind without which nothing can be said. */
const fewestOutcomes = 20;
/** The newest allowed decisions that are read, and of older ones those with each outcome. */
const mostEntries = 100_000;
const mostOlder = 10_000;
/** Examples of one suggestion. */
const mostExamples = 5;

/** Suggests rules from the decisions that a gate allowed. */
export async function suggestRules(
  gateId: string,
  { action, fromMs, toMs }: SuggestionsRequest,
  { decisions, outcomes, monotonicMs }: SuggestionsParts,
): Promise<Suggestion[]> {
  const span = { from: firstIdAt(fromMs ?? 0), before: toMs === undefined ? '8' : firstIdAt(toMs) };
  const { actions } = await totalOutcomes(outcomes, [gateId], span);
  for (const outcome of ['good', 'bad'] as const) {
    const reported = Object.values(actions).reduce((sum, tally) => sum + tally[outcome], 0);
    if (reported < fewestOutcomes) throw new AppError('too_few_outcomes');
  }
  const yieldWhenDue = createYielder(monotonicMs);
  const table = createExampleTable();
  const ids: string[] = [];
  const read = async (more: Pick<LogFilter, 'outcome' | 'beforeId'>, limit: number): Promise<void> => {
    const filter = { actions: ['allow'], fromId: span.from, ...more };
    for await (const row of scanLog(decisions, [gateId], filter, { maxEntries: limit, monotonicMs })) {
      table.add(fromLoggedRow(row).signals, row.outcome?.outcome);
      ids.push(row.id);
    }
  };
  await read({ beforeId: span.before }, mostEntries);
  const oldest = ids.at(-1);
  if (oldest !== undefined && ids.length === mostEntries) {
    for (const outcome of outcomeNames) await read({ beforeId: oldest, outcome }, mostOlder);
  }
  // The last character of an id is random.
  const isHeldOut = (row: number): boolean => ((ids[row] ?? '').charCodeAt(25) & 1) === 0;
  const derived = await deriveRules(table, isHeldOut, yieldWhenDue);
  const examples = await readExamples(decisions, gateId, derived, ids);
  return derived.map(({ conditions, bad, good, unknown }) => ({
    rule: { name: ruleName(conditions), match: 'all', action, conditions },
    stopsBad: bad.length,
    stopsGood: good.length,
    stopsUnknown: unknown,
    examples: exampleRows({ bad, good }).flatMap((row) => examples.get(ids[row] ?? '') ?? []),
  }));
}

const exampleRows = ({ bad, good }: Pick<DerivedRule, 'bad' | 'good'>): number[] =>
  [...bad.slice(0, mostExamples - Math.min(1, good.length)), ...good.slice(0, 1)].slice(0, mostExamples);

async function readExamples(
  decisions: Pick<DecisionsStore, 'listOf'>,
  gateId: string,
  derived: readonly DerivedRule[],
  ids: readonly string[],
): Promise<Map<string, LoggedDecision>> {
  const wanted = new Set(derived.flatMap(exampleRows).map((row) => ids[row] ?? ''));
  const rows = wanted.size === 0 ? [] : await decisions.listOf([gateId], { ids: wanted }, wanted.size);
  return new Map(rows.map((row) => [row.id, fromLoggedRow(row)]));
}

const longestName = 120;

/** A name that says what the conditions are. */
function ruleName(conditions: readonly Condition[]): string {
  const text = conditions.map(conditionText).join(', ');
  return text.length <= longestName ? text : `${text.slice(0, longestName - 1)}…`;
}

function conditionText({ field, operator, value }: Condition): string {
  const { label = field, unit } = findField(field) ?? {};
  if (operator === 'equals' && value === true) return label;
  if (operator === 'equals' && value === false) return `not ${label}`;
  const words = [label, findOperator(operator).label];
  if (value !== undefined) words.push(String(value));
  if (unit !== undefined && typeof value === 'number') words.push(unit);
  return words.join(' ');
}
