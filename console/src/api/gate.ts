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

/** How often each rule matched in seven days; empty until that is loaded. */
export function useRuleCounts(gateId: string): RuleCounts {
  const stats = useGateStats(gateId, 7).data;
  return new Map(stats?.rules.map(({ id, count, shadow_count }) => [id, { live: count, shadow: shadow_count }]));
}

/** The subject of a trace, as typed. */
export interface TestSubject {
  readonly subject: string;
  readonly ip: string;
}

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
    retry: (_attempts, error) => error instanceof RateLimitError,
    retryDelay: (_attempts, error) => (error instanceof RateLimitError ? error.retryAfterMs : null) ?? 1_000,
  });
}

/** Compares what these rules and the saved ones decide on the logged signals. */
export function useBacktest(gateId: string, { defaultAction, rules }: GateRules, days: number, isWanted: boolean) {
  const environment = useEnvironment();
  const { gates } = useClient();
  return useQuery({
    queryKey: ['gate', environment, gateId, 'backtest', days, defaultAction, rules.map(sendable)],
    queryFn: ({ signal }): Promise<BacktestResult> =>
      gates.backtest(
        gateId,
        { rules: rules.map(sendable), default_action: defaultAction, against: 'rules', from: daysAgo(days) },
        { signal },
      ),
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

/** Reloads what the pages know about a gate, after a change. */
export function useForgetGate() {
  const queries = useQueryClient();
  return async (environment: Environment, gateId: string): Promise<void> => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['gates', environment] }),
      queries.invalidateQueries({ queryKey: ['gate', environment, gateId] }),
    ]);
  };
}
