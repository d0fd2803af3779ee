import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEnvironment } from './environment.ts';
import { type AnswerOf, request } from './request.ts';
import { every } from './session-state.ts';

/** The activity in an environment during a range, from counters. */
export type Overview = AnswerOf<'readOverview'>['data'];
/** The decisions of an hour or a day. */
export type Bucket = Overview['decisions'][number];

/** The ranges that an overview can have. */
export const overviewRanges = ['24h', '7d', '30d'] as const;
/** One of them. */
export type OverviewRange = (typeof overviewRanges)[number];

/** The overview of a range; the previous one is shown while it loads. */
export function useOverview(range: OverviewRange) {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['overview', environment, range],
    queryFn: async ({ signal }) =>
      (await request('readOverview', { path: { environment }, query: { range } }, { signal })).data,
    placeholderData: keepPreviousData,
    refetchInterval: every(60_000),
  });
}
