import {
  type BacktestResult,
  type GateTrace,
  RateLimitError,
  type Revision as WholeRevision,
} from '@signalpost/client';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type GateRules, sendable } from '../gate-editor/gate.ts';
import type { RuleCounts } from '../gate-editor/rules/warnings.ts';
import { startOfHours } from '../text/ranges.ts';
import { clientOf, useClient } from './client.ts';
import { type Environment, useEnvironment } from './environment.ts';
import { type AnswerOf, request } from './request.ts';
import { traceInputOf } from './trace.ts';

export type { BacktestResult, GateTrace, Revision as WholeRevision } from '@signalpost/client';

/** A revision in the history, without the rules. */
export type Revision = Omit<WholeRevision, 'description' | 'wait' | 'rules'>;
/** Who changed a gate. */
export type Author = NonNullable<WholeRevision['changed_by']>;

/** A revision of a gate, or its current state. */
export const revisionQuery = (environment: Environment, gateId: string, revision: number | 'current') =>
  queryOptions({
    queryKey: ['gate', environment, gateId, 'revision', revision],
    queryFn: ({ signal }): Promise<WholeRevision> =>
      clientOf(environment).gates.revisions.get(gateId, revision, { signal }),
    // A draft starts from it; a conflicting change is detected when the draft is saved.
    staleTime: revision === 'current' ? 0 : Number.POSITIVE_INFINITY,
  });

/** The saved rules of a gate; empty without one, and until they are loaded. */
export function useRules(gateId: string | null): WholeRevision['rules'] {
  const environment = useEnvironment();
  const gate = useQuery({ ...revisionQuery(environment, gateId ?? '', 'current'), enabled: gateId !== null });
  return gate.data?.rules ?? [];
}

/** The changes of a gate, newest first. */
export function useRevisions(gateId: string) {
  const environment = useEnvironment();
  const { gates } = useClient();
  return useQuery({
    queryKey: ['gate', environment, gateId, 'revisions'],
    queryFn: async ({ signal }): Promise<readonly Revision[]> =>
      (await gates.revisions.list(gateId, { limit: 100 }, { signal })).data,
  });
}

/** Counts of a gate over the last days, by hour. */
export function useGateStats(gateId: string, days: number) {
  const environment = useEnvironment();
  const client = useClient();
  return useQuery({
    queryKey: ['gate', environment, gateId, 'stats', days],
    queryFn: ({ signal }) => client.gates.stats(gateId, { from: daysAgo(days), interval: 'hour' }, { signal }),
    staleTime: 60_000,
  });
}

/** The start of the last days, as the service takes it. */
const daysAgo = (days: number): string => startOfHours(24 * days).toISOString();

/** The rule that the outcomes since a moment suggest first; null without one. Outcomes change slowly, and deriving rules takes long. */
export function useBestSuggestion(gateId: string | null, from: string | undefined) {
  const environment = useEnvironment();
  const { gates } = useClient();
  return useQuery({
    queryKey: ['gate', environment, gateId, 'suggestion', from],
    queryFn: async ({ signal }) => (await gates.suggestions(gateId ?? '', { from }, { signal }))[0] ?? null,
    enabled: gateId !== null,
    staleTime: 600_000,
    retry: false,
  });
}

/** Every rule that the outcomes of a gate suggest; requested when the user asks for them. */
export function useSuggestions(gateId: string, isWanted: boolean) {
  const { gates } = useClient();
  return useQuery({
    queryKey: ['gate', useEnvironment(), gateId, 'suggestions'],
    queryFn: ({ signal }) => gates.suggestions(gateId, {}, { signal }),
    enabled: isWanted,
    retry: false,
  });
}

/** How often each rule matched in seven days; empty until that is loaded. */
export function useRuleCounts(gateId: string): RuleCounts {
  const stats = useGateStats(gateId, 7).data;
  return new Map(stats?.rules.map(({ id, count, shadow_count }) => [id, { live: count, shadow: shadow_count }]));
}

/** A rule's record of the last 30 days. */
export type RuleHealth = AnswerOf<'readRuleHealth'>['data'][number];

/** The health of each saved rule. */
export function useRuleHealth(gateId: string) {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['gate', environment, gateId, 'health'],
    queryFn: async ({ signal }) =>
      (await request('readRuleHealth', { path: { environment, gate_id: gateId } }, { signal })).data,
    staleTime: 60_000,
  });
}

/** The subject of a trace, as typed. */
export interface TestSubject {
  readonly subject: string;
  readonly ip: string;
}

const retryWhenLimited = {
  retry: (_attempts: number, error: Error) => error instanceof RateLimitError,
  retryDelay: (_attempts: number, error: Error) =>
    (error instanceof RateLimitError ? error.retryAfterMs : null) ?? 1_000,
};

/** Traces a draft for a subject while either is edited. */
export function useDraftTrace(gateId: string, { subject, ip }: TestSubject, { defaultAction, rules }: GateRules) {
  const environment = useEnvironment();
  const { gates } = useClient();
  const body = {
    ...traceInputOf(subject),
    ...(ip === '' ? {} : { ip }),
    default_action: defaultAction,
    rules: rules.map(sendable),
  };
  return useQuery({
    queryKey: ['gate', environment, gateId, 'trace', body],
    queryFn: ({ signal }): Promise<GateTrace> => gates.trace(gateId, body, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
    // The console may trace 60 times a minute. The tester continues by itself.
    ...retryWhenLimited,
  });
}

/** Traces rules on the signals of a logged decision; idle while the rules are not loaded. */
export function useTraceOfDecision(gateId: string, decisionId: string, proposed: GateRules | undefined) {
  const environment = useEnvironment();
  const { gates } = useClient();
  const { defaultAction = 'allow', rules = [] } = proposed ?? {};
  const body = { decision_id: decisionId, default_action: defaultAction, rules: rules.map(sendable) };
  return useQuery({
    // Not among the gate's queries: saving the gate does not change it.
    queryKey: ['decision-trace', environment, gateId, body],
    queryFn: ({ signal }): Promise<GateTrace> => gates.trace(gateId, body, { signal }),
    enabled: proposed !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    ...retryWhenLimited,
  });
}

/** Compares the decisions of these rules and of the saved ones on the logged signals. */
export const useBacktest = (gateId: string, rules: GateRules, days: number, isWanted: boolean) =>
  useComparison(gateId, rules, days, isWanted, 'newest');

/** The same, with the changed decisions that have an outcome as examples. */
export const useLabelledBacktest = (gateId: string, rules: GateRules, days: number, isWanted: boolean) =>
  useComparison(gateId, rules, days, isWanted, 'labelled');

function useComparison(
  gateId: string,
  { defaultAction, rules }: GateRules,
  days: number,
  isWanted: boolean,
  examples: 'newest' | 'labelled',
) {
  const environment = useEnvironment();
  const { gates } = useClient();
  const draft = { rules: rules.map(sendable), default_action: defaultAction };
  return useQuery({
    queryKey: ['gate', environment, gateId, 'backtest', days, examples, draft],
    queryFn: ({ signal }): Promise<BacktestResult> =>
      gates.backtest(gateId, { ...draft, against: 'rules', examples, from: daysAgo(days) }, { signal }),
    enabled: isWanted,
    staleTime: 60_000,
    retry: false,
  });
}

/** Saves rules and default action together; rejected when the gate is no longer at the revision. */
export function saveGate(
  environment: Environment,
  gateId: string,
  revision: number,
  gate: GateRules,
): Promise<unknown> {
  return clientOf(environment).gates.rules.save(gateId, {
    expected_revision: revision,
    default_action: gate.defaultAction,
    rules: gate.rules.map(sendable),
  });
}

/** Reloads the data of a gate, and the list of gates, after a change. */
export function useForgetGate() {
  const queries = useQueryClient();
  return async (environment: Environment, gateId: string): Promise<void> => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['gates', environment] }),
      queries.invalidateQueries({ queryKey: ['gate', environment, gateId] }),
    ]);
  };
}
