import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AnswerOf, type BodyOf, request } from './request.ts';

/** A key without its secret. */
export type Key = AnswerOf<'consoleKeys'>['data'][number];

const queryKey = ['keys'] as const;

/** The keys of the account, in every environment. */
export const useKeys = () =>
  useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await request('consoleKeys', {}, { signal })).data,
  });

function useKeyChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSuccess: () => queries.invalidateQueries({ queryKey }) });
}

/** Creates a key; only this response contains its secret. */
export const useCreateKey = () =>
  useKeyChange((body: BodyOf<'consoleCreateKey'>) => request('consoleCreateKey', { body }));

/** Renames a key. */
export const useRenameKey = () =>
  useKeyChange(({ id, name }: { id: string; name: string }) =>
    request('consoleRenameKey', { path: { id }, body: { name } }),
  );

/** Revokes a key for good. */
export const useRevokeKey = () => useKeyChange((id: string) => request('consoleRevokeKey', { path: { id } }));
