import { dataOf, field, listOf, nested, optional, same, time, wireOf } from '../../http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
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

const counts = { allow: schema.integer(), block: schema.integer(), challenge: schema.integer() };
const tally = { good: schema.integer(), bad: schema.integer() };

type Tally = Stats['outcomes']['allow'];
const tallyBody = wireOf<Tally>(same<Tally>(tally));

const ruleBody = wireOf<Stats['rules'][number]>({
  id: field(schema.string(), ({ ruleId }) => ruleId),
  name: field(schema.string(), ({ name }) => name),
  count: field(schema.integer({ description: 'Matches while the rule was live' }), ({ matches }) => matches),
  shadow_count: field(schema.integer({ description: 'Matches in shadow mode' }), ({ shadowMatches }) => shadowMatches),
  good: field(
    schema.integer({ description: 'Matched decisions with the outcome good, also in shadow mode' }),
    ({ good }) => good,
  ),
  bad: field(
    schema.integer({ description: 'Matched decisions with the outcome bad, also in shadow mode' }),
    ({ bad }) => bad,
  ),
});

type Bucket = Stats['buckets'][number];

const statsBody = wireOf<Stats>({
  actions: nested(wireOf<Stats['actions']>(same<Stats['actions']>(counts)), ({ actions: byAction }) => byAction),
  rules: nested(listOf(ruleBody), ({ rules }) => rules),
  'outcomes.allow': nested(tallyBody, ({ outcomes }) => outcomes.allow),
  'outcomes.block': nested(tallyBody, ({ outcomes }) => outcomes.block),
  'outcomes.challenge': nested(tallyBody, ({ outcomes }) => outcomes.challenge),
  buckets: nested(
    listOf(wireOf<Bucket>({ at: time(({ atMs }) => atMs), ...same<Bucket>(counts) })),
    ({ buckets }) => buckets,
  ),
});

/** An example, with its outcome where the request wanted labelled ones. */
type ShownExample = BacktestExample & { readonly isLabelled: boolean };

const exampleBody = wireOf<ShownExample>({
  decision_id: field(schema.string(), ({ logged }) => logged.id),
  email: optional(field(schema.string(), ({ logged }) => logged.input.email)),
  domain: optional(
    field(schema.string(), ({ logged: { input } }) => (input.email === undefined ? input.domain : undefined)),
  ),
  ...same<ShownExample>({
    from: schema.oneOf(actions),
    to: schema.oneOf(actions),
    rule: schema.nullable(
      schema.string({ description: 'The proposed rule that would decide; null for the default action' }),
    ),
  }),
  outcome: optional(
    field(
      schema.oneOf(outcomeNames, { description: 'What became of it; only with `examples: labelled`' }),
      ({ isLabelled, logged }) => (isLabelled ? logged.outcome?.outcome : undefined),
    ),
  ),
});

type ActionChange = BacktestResult['changes'][number];

const changeBody = wireOf<ActionChange>(
  same<ActionChange>({
    from: schema.oneOf(actions),
    to: schema.oneOf(actions),
    count: schema.integer(),
    ...tally,
  }),
);

/** A result with its request. */
interface ShownBacktest extends BacktestResult {
  readonly request: BacktestRequest;
}

const backtestBody = wireOf<ShownBacktest>({
  ...same<ShownBacktest>({
    evaluated: schema.integer({ description: 'The newest logged decisions, at most 10,000' }),
    complete: schema.boolean({
      description:
        'False if the backtest skipped decisions: there were more than 10,000, it used more than two seconds of processor time, or part of the log is damaged',
    }),
    changed: schema.integer(),
  }),
  changes: nested(listOf(changeBody), ({ changes }) => changes),
  examples: nested(listOf(exampleBody), ({ examples, request }) =>
    examples.map((example) => ({ ...example, isLabelled: request.examples === 'labelled' })),
  ),
});

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
    response: dataOf(statsBody),
    errors: ['validation_failed', 'gate_not_found'],
    async handle({ params, query }, { caller }) {
      const gate = await gates.read(caller, params.gate_id);
      await recorder.tryFlush();
      return readStats(stats, outcomes, gate, query);
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
    response: dataOf(backtestBody),
    errors: ['validation_failed', 'rule_limit_reached', 'gate_not_found', 'unsupported_media_type'],
    async handle({ params, body: request }, { caller }) {
      const gate = await gates.read(caller, params.gate_id);
      await recorder.tryFlush();
      const handles = await loadLists(lists, caller, [...request.rules, ...gate.rules]);
      rejectUnfitLists(
        request.rules.map((rule, index) => [`rules.${index}.`, rule]),
        (listId) => handles.get(listId)?.members?.kind,
      );
      return { ...(await runBacktest(gate, request, { ...options, lists: handles })), request };
    },
  });
}
