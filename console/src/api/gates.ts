import { useQuery } from '@tanstack/react-query';
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
