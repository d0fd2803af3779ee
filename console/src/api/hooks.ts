import type { Hook, NewHook } from '@signalpost/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { useEnvironment } from './environment.ts';
import { type AnswerOf, request } from './request.ts';
import { every } from './session-state.ts';

export type { Hook, HookTest, HookWithSecret, NewHook } from '@signalpost/client';

/** An auth server that can ask a gate. */
export type HookFormat = AnswerOf<'listHookFormats'>['data'][number];

/** Every auth server that the service knows. */
export function useHookFormats() {
  const environment = useEnvironment();
  return useQuery({
    queryKey: ['hook-formats', environment],
    queryFn: async ({ signal }) => (await request('listHookFormats', { path: { environment } }, { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The hooks of the environment, newest first. */
export function useHooks() {
  const client = useClient();
  return useQuery({
    queryKey: ['hooks', useEnvironment()],
    queryFn: ({ signal }) => client.hooks.list({ signal }),
    refetchInterval: every(5_000),
  });
}

/** One hook, read again every two seconds: the page waits for its first call. */
export function useHook(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['hooks', useEnvironment(), id],
    queryFn: ({ signal }) => client.hooks.get(id, { signal }),
    refetchInterval: every(2_000),
    staleTime: 0,
  });
}

function useHookChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  const queryKey = ['hooks', useEnvironment()];
  return useMutation({ mutationFn: change, onSuccess: () => queries.invalidateQueries({ queryKey }) });
}

/** Creates a hook; only this response contains its secret. */
export function useCreateHook() {
  const { hooks } = useClient();
  return useHookChange((body: NewHook) => hooks.create(body));
}

/** Sets the secret that the auth server shows, or generates a new one. */
export function useSetSecret(id: string) {
  const { hooks } = useClient();
  return useHookChange((secret: string | null) => hooks.rotateSecret(id, secret === null ? {} : { secret }));
}

/** Deletes a hook. */
export function useRemoveHook() {
  const { hooks } = useClient();
  const queries = useQueryClient();
  const queryKey = ['hooks', useEnvironment()];
  return useMutation({
    mutationFn: ({ id }: Pick<Hook, 'id'>) => hooks.delete(id),
    // The list alone: the deleted hook would be read again.
    onSuccess: () => void queries.invalidateQueries({ queryKey, exact: true }),
  });
}

/** The exchange for one address; nothing is logged. */
export function useTestHook(id: string) {
  const { hooks } = useClient();
  return useMutation({ mutationFn: (email: string) => hooks.test(id, { email }) });
}
