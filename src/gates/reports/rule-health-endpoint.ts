import { dataOf, field, listOf, same, time, wireOf } from '../../http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { wireTime } from '../../http/wire-time.ts';
import { schema } from '../../input/schema.ts';
import { firstIdAt } from '../../ulid.ts';
import type { DecisionRecorder } from '../decisions/decision-recorder.ts';
import { type CountOutcomes, totalOutcomes } from '../decisions/outcome-totals.ts';
import type { StatsStore } from '../decisions/stats-store.ts';
import type { Gate } from '../gate.ts';
import type { Gates } from '../gates.ts';
import { managed } from '../gates-endpoints.ts';
import { keptRevisions, type RevisionSummary, type RevisionsStore } from '../revisions-store.ts';
import type { Rule } from '../rules/rule.ts';

interface Parts {
  readonly gates: Pick<Gates, 'read'>;
  readonly recorder: Pick<DecisionRecorder, 'tryFlush'>;
  readonly stats: Pick<StatsStore, 'ruleDays' | 'lastRuleDays'>;
  readonly outcomes: CountOutcomes;
  readonly revisions: Pick<RevisionsStore, 'list'>;
  readonly now: () => number;
}

interface RuleHealth {
  readonly id: string;
  readonly days: readonly number[];
  readonly lastMatchMs: number | null;
  readonly modeSinceMs: number;
  readonly good: number;
  readonly bad: number;
}

const healthBody = wireOf<RuleHealth>({
  ...same<RuleHealth>({
    id: schema.string(),
    days: schema.array(schema.integer(), {
      description: 'Matches of the last 30 UTC days, live or in shadow mode, oldest first',
    }),
  }),
  last_match_on: field(
    schema.nullable(schema.string({ description: 'The UTC day of the last match' })),
    ({ lastMatchMs }) => (lastMatchMs === null ? null : wireTime(lastMatchMs).slice(0, 10)),
  ),
  mode_since: time(({ modeSinceMs }) => modeSinceMs, { description: 'When the rule got its mode' }),
  ...same<RuleHealth>({
    good: schema.integer({ description: 'Matched decisions of these days with the outcome good' }),
    bad: schema.integer({ description: 'Matched decisions of these days with the outcome bad' }),
  }),
});

const dayMs = 86_400_000;
/** Days that are counted, with today. */
const shownDays = 30;

/** The health of every rule of a gate, from counters. */
async function readHealth(gate: Gate, { stats, outcomes, revisions, now }: Parts): Promise<RuleHealth[]> {
  const nowMs = now();
  const fromMs = nowMs - (nowMs % dayMs) - (shownDays - 1) * dayMs;
  const [counts, last, totals, changes] = await Promise.all([
    stats.ruleDays(gate.id, fromMs),
    stats.lastRuleDays(gate.id),
    totalOutcomes(outcomes, [gate.id], { from: firstIdAt(fromMs), before: firstIdAt(nowMs + 1) }),
    revisions.list(gate.id, keptRevisions.perGate, null),
  ]);
  const countsOf = Map.groupBy(counts, ({ ruleId }) => ruleId);
  return gate.rules.map((rule) => {
    const days = Array.from({ length: shownDays }, () => 0);
    for (const counted of countsOf.get(rule.id) ?? []) days[(counted.dayMs - fromMs) / dayMs] = counted.matches;
    return {
      id: rule.id,
      days,
      lastMatchMs: last.get(rule.id) ?? null,
      modeSinceMs: modeSince(rule, changes),
      ...(totals.rules.get(rule.id) ?? { good: 0, bad: 0 }),
    };
  });
}

/** The last change of a rule's mode, as far back as changes are kept; else its creation. */
function modeSince({ id, createdAtMs }: Rule, newestFirst: readonly RevisionSummary[]): number {
  const change = newestFirst.find(({ changes }) =>
    changes.rules_changed?.some((rule) => rule.id === id && rule.fields.includes('mode')),
  );
  return change?.changedAtMs ?? createdAtMs;
}

/** `/gates/{gate_id}/rule-health`: each rule's record of the last 30 days, for the pages of the console. */
export function ruleHealthEndpoint(parts: Parts): Endpoint {
  return endpoint({
    ...managed,
    access: 'session',
    method: 'GET',
    path: '/gates/{gate_id}/rule-health',
    operationId: 'readRuleHealth',
    load: 'job',
    summary: 'Matches by day, last match, age of the mode and outcomes of each rule of a gate',
    response: dataOf(listOf(healthBody)),
    errors: ['gate_not_found'],
    async handle({ params }, { caller }) {
      const gate = await parts.gates.read(caller, params.gate_id);
      await parts.recorder.tryFlush();
      return readHealth(gate, parts);
    },
  });
}
