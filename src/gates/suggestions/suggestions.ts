import { AppError } from '../../errors.ts';
import { boundedMap } from '../../platform/bounded-map.ts';
import { detachedCopy } from '../../platform/detached-copy.ts';
import { createYielder } from '../../platform/yielding.ts';
import { firstIdAt } from '../../ulid.ts';
import type { DecisionsStore } from '../decisions/decisions-store.ts';
import { fromLoggedRow, type LoggedDecision } from '../decisions/logged-decision.ts';
import { outcomeNames } from '../decisions/outcome.ts';
import { type CountOutcomes, totalOutcomes } from '../decisions/outcome-totals.ts';
import type { DecisionSpan } from '../decisions/outcomes-store.ts';
import { scanLog } from '../decisions/scan-log.ts';
import type { Action } from '../rules/action.ts';
import type { Condition } from '../rules/condition.ts';
import { conditionText } from './condition-text.ts';
import { type DerivedRule, deriveRules } from './derive-rules.ts';
import { createExampleTable } from './example-table.ts';
import { createSampler } from './sampler.ts';
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
const minOutcomes = 20;
/** The newest allowed decisions that are read. */
const maxEntries = 100_000;
/** Examples of one suggestion. */
const maxExamples = 5;

/** Suggests rules from the decisions that a gate allowed. */
export type SuggestRules = (gateId: string, request: SuggestionsRequest) => Promise<readonly Suggestion[]>;

/** How long a result is kept: a console asks again with every visit of a page. New outcomes are used immediately. */
const keptMs = 60_000;
const maxKept = 100;

export function createSuggestRules(parts: SuggestionsParts): SuggestRules {
  const { outcomes, monotonicMs } = parts;
  const kept = boundedMap<string, { readonly untilMs: number; readonly result: Promise<Suggestion[]> }>(maxKept);
  return async (gateId, request) => {
    const span = {
      from: firstIdAt(request.fromMs ?? 0),
      before: request.toMs === undefined ? '8' : firstIdAt(request.toMs),
    };
    const { actions } = await totalOutcomes(outcomes, [gateId], span);
    for (const outcome of outcomeNames) {
      const reported = Object.values(actions).reduce((sum, tally) => sum + tally[outcome], 0);
      if (reported < minOutcomes) throw new AppError('too_few_outcomes');
    }
    const key = JSON.stringify([gateId, request.action, span, actions]);
    const known = kept.get(key);
    if (known !== undefined && monotonicMs() < known.untilMs) return known.result;
    const result = derive(gateId, request.action, span, parts);
    kept.set(key, { untilMs: monotonicMs() + keptMs, result });
    result.catch(() => kept.delete(key));
    return result;
  };
}

async function derive(
  gateId: string,
  action: Action,
  span: DecisionSpan,
  { decisions, monotonicMs }: SuggestionsParts,
): Promise<Suggestion[]> {
  const table = createExampleTable();
  const sampler = createSampler(table);
  const { scales } = sampler;
  const ids: string[] = [];
  const filter = { actions: ['allow'], fromId: span.from, beforeId: span.before };
  for await (const row of scanLog(decisions, [gateId], filter, { maxEntries, monotonicMs })) {
    const added = sampler.add(row.id, row.outcome?.outcome, () => fromLoggedRow(row).signals);
    // A row's id is part of the text of its segment, which would stay in memory.
    if (added !== null) ids[added] = detachedCopy(row.id);
  }
  // The last character of an id is random.
  const isHeldOut = (row: number): boolean => ((ids[row] ?? '').charCodeAt(25) & 1) === 0;
  const derived = await deriveRules({ table, scales, isHeldOut }, createYielder(monotonicMs));
  const examples = await readExamples(decisions, gateId, derived, ids);
  return derived.map(({ conditions, bad, good, unknown }) => ({
    rule: { name: ruleName(conditions), match: 'all', action, conditions },
    stopsBad: bad.length * scales.bad,
    stopsGood: good.length * scales.good,
    stopsUnknown: unknown.length * scales.none,
    examples: exampleRows({ bad, good }).flatMap((row) => examples.get(ids[row] ?? '') ?? []),
  }));
}

const exampleRows = ({ bad, good }: Pick<DerivedRule, 'bad' | 'good'>): number[] =>
  [...bad.slice(0, maxExamples - Math.min(1, good.length)), ...good.slice(0, 1)].slice(0, maxExamples);

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

/** A name that lists the conditions. */
function ruleName(conditions: readonly Condition[]): string {
  const text = conditions.map(conditionText).join(', ');
  return text.length <= longestName ? text : `${text.slice(0, longestName - 1)}…`;
}
