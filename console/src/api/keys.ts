import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Environment } from './environment.ts';
import { request } from './request.ts';

/** A key as it may be shown: never the key itself. */
export interface Key {
  readonly id: string;
  readonly environment: Environment;
  readonly name: string | null;
  readonly prefix: string;
  readonly last4: string;
  readonly state: 'in_use' | 'expired' | 'revoked';
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

const queryKey = ['keys'] as const;

/** The keys of the account, of every environment. */
export const useKeys = () =>
  useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await request<{ data: readonly Key[] }>('GET', '/keys', { signal })).data,
  });

function useKeyChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSuccess: () => queries.invalidateQueries({ queryKey }) });
}

/** Makes a key; the answer is the only place where it can be read. */
export const useCreateKey = () =>
  useKeyChange((body: { environment: Environment; name?: string; expires_at?: string }) =>
    request<{ data: Key; key: string }>('POST', '/keys', { body }),
  );

/** Gives a key another name. */
export const useRenameKey = () =>
  useKeyChange(({ id, name }: { id: string; name: string }) => request('PATCH', `/keys/${id}`, { body: { name } }));

/** Ends a key for good. */
export const useRevokeKey = () => useKeyChange((id: string) => request('DELETE', `/keys/${id}`));
