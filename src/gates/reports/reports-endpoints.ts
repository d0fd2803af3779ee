import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { dataOf } from '../../http/page.ts';
import { wireTime } from '../../http/wire-time.ts';
import { schema } from '../../input/schema.ts';
import { type CustomListSource, loadLists, rejectUnfitLists } from '../custom-lists.ts';
import type { DecisionRecorder } from '../decisions/decision-recorder.ts';
import type { DecisionsStore } from '../decisions/decisions-store.ts';
import { outcomeNames } from '../decisions/outcome.ts';
import type { CountOutcomes } from '../decisions/outcome-totals.ts';
import type { StatsStore } from '../decisions/stats-store.ts';
import type { Gates } from '../gates.ts';
import { managed } from '../gates-endpoints.ts';
import type { RegexBudget } from '../regex/regex-budget.ts';
import { actions } from '../rules/action.ts';
import type { PrepareBody } from '../rules/patterns-ahead.ts';
import { type BacktestExample, type BacktestResult, runBacktest } from './backtest.ts';
import { type BacktestRequest, backtestInput } from './backtest-input.ts';
import { readStats, type Stats } from './stats.ts';
import { statsQuery } from './stats-query.ts';

export interface ReportParts {
  readonly gates: Pick<Gates, 'read'>;
  readonly stats: StatsStore;
  readonly outcomes: CountOutcomes;
  readonly decisions: Pick<DecisionsStore, 'listOf'>;
  readonly recorder: Pick<DecisionRecorder, 'tryFlush'>;
  readonly lists: CustomListSource;
  readonly now: () => number;
  readonly monotonicMs: () => number;
  readonly regexBudget: RegexBudget;
  readonly prepareBody: PrepareBody;
}

/** `GET /v1/gates/{gate_id}/stats` and `POST /v1/gates/{gate_id}/backtest`. */
export function reportsEndpoints(parts: ReportParts): Endpoint[] {
  return [statsEndpoint(parts), backtestEndpoint(parts)];
}

function statsEndpoint({ gates, stats, outcomes, recorder, now }: ReportParts): Endpoint {
  return endpoint({
    ...managed,
    method: 'GET',
    path: '/v1/gates/{gate_id}/stats',
    operationId: 'readStats',
    load: 'job',
    tool: { name: 'read_stats', access: 'read' },
    summary: 'Decision counts of a gate by action, rule and time',
    query: statsQuery(now),
    response: dataOf(statsSchema),
    errors: ['validation_failed', 'gate_not_found'],
    async handle({ params, query }, { caller }) {
      const gate = await gates.read(caller, params.gate_id);
      await recorder.tryFlush();
      return { data: statsBody(await readStats(stats, outcomes, gate, query)) };
    },
  });
}

function backtestEndpoint({
  gates,
  decisions,
  recorder,
  lists,
  monotonicMs,
  regexBudget,
  prepareBody,
}: ReportParts): Endpoint {
  const options = { store: decisions, monotonicMs, regexBudget };
  return endpoint({
    ...managed,
    method: 'POST',
    path: '/v1/gates/{gate_id}/backtest',
    operationId: 'backtest',
    load: 'job',
    tool: {
      name: 'backtest_rules',
      access: 'read',
      guide:
        'Send all proposed rules, not only the changed one: take the rules of read_gate and edit them. The examples list decisions to inspect.',
    },
    summary: 'Find the logged decisions that proposed rules would have changed; read-only',
    prepareBody,
    body: backtestInput,
    response: dataOf(backtestSchema),
    errors: ['validation_failed', 'rule_limit_reached', 'gate_not_found', 'unsupported_media_type'],
    async handle({ params, body: request }, { caller }) {
      const gate = await gates.read(caller, params.gate_id);
      await recorder.tryFlush();
      const handles = await loadLists(lists, caller, [...request.rules, ...gate.rules]);
      rejectUnfitLists(
        request.rules.map((rule, index) => [`rules.${index}.`, rule]),
        (listId) => handles.get(listId)?.members?.kind,
      );
      const result = await runBacktest(gate, request, { ...options, lists: handles });
      return { data: backtestBody(result, request) };
    },
  });
}

function statsBody({ actions: byAction, rules, outcomes, buckets }: Stats) {
  return {
    actions: byAction,
    rules: rules.map(({ ruleId, name, matches, shadowMatches, good, bad }) => ({
      id: ruleId,
      name,
      count: matches,
      shadow_count: shadowMatches,
      good,
      bad,
    })),
    outcomes,
    buckets: buckets.map(({ atMs, allow, block, challenge }) => ({ at: wireTime(atMs), allow, block, challenge })),
  };
}

function backtestBody(
  { evaluated, complete, changed, changes, examples }: BacktestResult,
  { examples: wanted }: BacktestRequest,
) {
  const bodies = examples.map((example) => {
    const { outcome } = example.logged;
    return wanted === 'labelled' && outcome
      ? { ...exampleBody(example), outcome: outcome.outcome }
      : exampleBody(example);
  });
  return { evaluated, complete, changed, changes, examples: bodies };
}

function exampleBody({ logged, from, to, rule }: BacktestExample) {
  const { email, domain } = logged.input;
  const subject = email === undefined ? { domain } : { email };
  return { decision_id: logged.id, ...subject, from, to, rule };
}

const counts = { allow: schema.integer(), block: schema.integer(), challenge: schema.integer() };

const tally = { good: schema.integer(), bad: schema.integer() };
const tallySchema = schema.object(tally);

const statsSchema = schema.object({
  actions: schema.object(counts),
  rules: schema.array(
    schema.object({
      id: schema.string(),
      name: schema.string(),
      count: schema.integer({ description: 'Matches while the rule was live' }),
      shadow_count: schema.integer({ description: 'Matches in shadow mode' }),
      good: schema.integer({ description: 'Matched decisions with the outcome good, also in shadow mode' }),
      bad: schema.integer({ description: 'Matched decisions with the outcome bad, also in shadow mode' }),
    }),
  ),
  outcomes: schema.object({ allow: tallySchema, block: tallySchema, challenge: tallySchema }),
  buckets: schema.array(schema.object({ at: schema.string(), ...counts })),
});

const backtestSchema = schema.object({
  evaluated: schema.integer({ description: 'The newest logged decisions, at most 10,000' }),
  complete: schema.boolean({
    description:
      'False if the backtest skipped decisions: there were more than 10,000, or it took more than two seconds',
  }),
  changed: schema.integer(),
  changes: schema.array(
    schema.object({ from: schema.oneOf(actions), to: schema.oneOf(actions), count: schema.integer(), ...tally }),
  ),
  examples: schema.array(
    schema.object({
      decision_id: schema.string(),
      email: schema.optional(schema.string()),
      domain: schema.optional(schema.string()),
      from: schema.oneOf(actions),
      to: schema.oneOf(actions),
      rule: schema.nullable(
        schema.string({ description: 'The proposed rule that would decide; null for the default action' }),
      ),
      outcome: schema.optional(
        schema.oneOf(outcomeNames, { description: 'What became of it; only with `examples: labelled`' }),
      ),
    }),
  ),
});
