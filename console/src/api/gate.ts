import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Action, type GateRules, type Rule, sendable } from '../gate-editor/gate.ts';
import type { RuleCounts } from '../gate-editor/rules/warnings.ts';
import { useClient } from './client.ts';
import { type Environment, useEnvironment } from './environment.ts';
import { request } from './request.ts';
import { type Trace, traceInputOf } from './trace.ts';

/** Who changed a gate. */
export interface Author {
  readonly kind: 'key' | 'user' | 'command' | 'service';
  readonly id: string | null;
  readonly name: string | null;
}

/** What a revision changed; only the keys that apply are there. */
export interface RevisionChanges {
  readonly fields?: readonly string[];
  readonly rules_added?: readonly { readonly id: string; readonly name: string }[];
  readonly rules_removed?: readonly { readonly id: string; readonly name: string }[];
  readonly rules_changed?: readonly {
    readonly id: string;
    readonly name: string;
    readonly fields: readonly string[];
  }[];
  readonly rules_ordered?: readonly string[];
}

/** A change of a gate. */
export interface Revision {
  readonly revision: number;
  readonly changed_at: string;
  readonly changed_by: Author | null;
  readonly name: string;
  readonly default_action: Action;
  readonly rules_count: number;
  readonly changes: RevisionChanges;
}

/** A whole gate as it was at a revision. */
export interface WholeRevision extends Revision {
  readonly description: string | null;
  readonly wait: readonly string[];
  readonly rules: readonly Rule[];
}

/** A trace of rules that may be unfinished: what the service objects to, and how large the patterns are. */
export interface DraftTrace extends Trace {
  /** What was asked about. */
  readonly input: { readonly email?: string; readonly domain?: string };
  readonly problems: Readonly<Record<string, readonly string[]>>;
  readonly regex_cost: { readonly patterns: readonly PatternSize[] };
}

interface PatternSize {
  readonly rule: number;
  readonly condition: number;
  readonly size: number;
  readonly limit: number;
}

/** What proposed rules would have decided. */
export interface Backtest {
  readonly evaluated: number;
  readonly complete: boolean;
  readonly changed: number;
  readonly changes: readonly { readonly from: Action; readonly to: Action; readonly count: number }[];
  readonly examples: readonly {
    readonly decision_id: string;
    readonly email?: string;
    readonly domain?: string;
    readonly from: Action;
    readonly to: Action;
    readonly rule: string | null;
  }[];
}

const gatePath = (environment: Environment, gateId: string): string =>
  `/${environment}/v1/gates/${encodeURIComponent(gateId)}`;

/** A revision of a gate, or what it is now. */
export const revisionQuery = (environment: Environment, gateId: string, revision: number | 'current') =>
  queryOptions({
    queryKey: ['gate', environment, gateId, 'revision', revision],
    queryFn: ({ signal }) =>
      request<{ readonly data: WholeRevision }>('GET', `${gatePath(environment, gateId)}/revisions/${revision}`, {
        signal,
      }),
    select: ({ data }) => data,
    // A draft is made from it: what changes meanwhile is met when the draft is saved.
    staleTime: revision === 'current' ? 0 : Number.POSITIVE_INFINITY,
  });

/** The changes of a gate, newest first. */
export function useRevisions(gateId: string) {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['gate', environment, gateId, 'revisions'],
    queryFn: ({ signal }) =>
      request<{ readonly data: readonly Revision[] }>('GET', `${gatePath(environment, gateId)}/revisions`, {
        query: { limit: 100 },
        signal,
      }),
    select: ({ data }) => data,
  });
}

/** Counts of a gate over the last days. */
export function useGateStats(gateId: string, days: number) {
  const environment = useEnvironment();
  const client = useClient();
  return useQuery({
    queryKey: ['gate', environment, gateId, 'stats', days],
    queryFn: ({ signal }) => client.gates.stats(gateId, { from: daysAgo(days) }, { signal }),
    staleTime: 60_000,
  });
}

/** The moment a number of days ago, as the service takes it. */
export const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** How often each rule matched in seven days; nothing until that is known. */
export function useRuleCounts(gateId: string): RuleCounts {
  const stats = useGateStats(gateId, 7).data;
  return new Map(stats?.rules.map(({ id, count, shadow_count }) => [id, { live: count, shadow: shadow_count }]));
}

/** What a trace is asked about. */
export interface Tried {
  readonly subject: string;
  readonly ip: string;
}

/** Traces a draft over what was typed, as it is typed. */
export function useDraftTrace(gateId: string, { subject, ip }: Tried, { defaultAction, rules }: GateRules) {
  const environment = useEnvironment();
  const body = {
    ...traceInputOf(subject),
    ...(ip === '' ? {} : { ip }),
    default_action: defaultAction,
    rules: rules.map(sendable),
  };
  return useQuery({
    queryKey: ['gate', environment, gateId, 'trace', body],
    queryFn: ({ signal }) =>
      request<{ readonly data: DraftTrace }>('POST', `${gatePath(environment, gateId)}/trace`, { body, signal }),
    select: ({ data }) => data,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
    retry: false,
  });
}

/** Tries rules on what the log has. */
export function useBacktest(gateId: string, { defaultAction, rules }: GateRules, days: number, isWanted: boolean) {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['gate', environment, gateId, 'backtest', days, defaultAction, rules.map(sendable)],
    queryFn: ({ signal }) =>
      request<{ readonly data: Backtest }>('POST', `${gatePath(environment, gateId)}/backtest`, {
        body: { rules: rules.map(sendable), default_action: defaultAction, from: daysAgo(days) },
        signal,
      }),
    select: ({ data }) => data,
    enabled: isWanted,
    staleTime: 60_000,
    retry: false,
  });
}

/** Saves rules and default action as one; refused when the gate is no longer at the revision. */
export function saveGate(
  environment: Environment,
  gateId: string,
  revision: number,
  gate: GateRules,
): Promise<unknown> {
  return request('PUT', `${gatePath(environment, gateId)}/rules`, {
    body: {
      expected_revision: revision,
      default_action: gate.defaultAction,
      rules: gate.rules.map(sendable),
    },
  });
}

/** Lets the pages forget what they know of a gate, after it was changed. */
export function useForgetGate() {
  const queries = useQueryClient();
  return async (environment: Environment, gateId: string): Promise<void> => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['gates', environment] }),
      queries.invalidateQueries({ queryKey: ['gate', environment, gateId] }),
    ]);
  };
}
