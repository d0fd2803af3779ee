import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEnvironment } from './environment.ts';
import { request } from './request.ts';
import { every } from './session-state.ts';
import type { Action } from './trace.ts';

/** Decisions of an hour or a day. */
export type Bucket = { readonly at: string } & Readonly<Record<Action, number>>;

/** What happened in an environment over a range, from counters. */
export interface Overview {
  readonly range: {
    readonly name: string;
    readonly from: string;
    readonly to: string;
    readonly interval: 'hour' | 'day';
  };
  readonly usage: {
    readonly limit: number;
    readonly current: number;
    readonly remaining: number;
    readonly reset_at: string;
    readonly overage: boolean;
  };
  readonly throughput: { readonly limit: number; readonly peak: number | null };
  readonly decisions: readonly Bucket[];
  readonly lookups: readonly { readonly at: string; readonly lookups: number }[];
  readonly shares: Readonly<Record<'disposable' | 'relay' | 'no_mail' | 'unknown', number | null>>;
  readonly top_domains: readonly { readonly domain: string; readonly lookups: number }[];
  readonly top_rules: readonly {
    readonly gate: { readonly id: string; readonly name: string };
    readonly id: string;
    readonly name: string;
    readonly matches: number;
  }[];
}

/** The ranges an overview can have. */
export const overviewRanges = ['24h', '7d', '30d'] as const;

/** The overview of a range; the one before stays until it is there. */
export function useOverview(range: string) {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['overview', environment, range],
    queryFn: async ({ signal }) =>
      (await request<{ data: Overview }>('GET', `/${environment}/overview`, { query: { range }, signal })).data,
    placeholderData: keepPreviousData,
    refetchInterval: every(60_000),
  });
}
