import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient } from './client.ts';
import { useCustomLists } from './custom-lists.ts';
import { useEnvironment } from './environment.ts';
import { type AnswerOf, request } from './request.ts';

/** A gate with its last change and seven days of counts. */
export type GateOverview = AnswerOf<'summarizeGates'>['data'][number];

/** The gates of the environment, newest first. */
export function useGates() {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['gates', environment],
    queryFn: async ({ signal }) => (await request('summarizeGates', { path: { environment } }, { signal })).data,
    staleTime: 30_000,
  });
}

/** The fields and operators of conditions; the same in every environment. */
export function useCatalogue() {
  const { gates } = useClient();
  const catalogue = useQuery({
    queryKey: ['catalogue'],
    queryFn: ({ signal }) => gates.catalogue({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const lists = useCustomLists().data;
  const data = useMemo(() => catalogue.data && { ...catalogue.data, lists: lists ?? [] }, [catalogue.data, lists]);
  return { ...catalogue, data };
}
