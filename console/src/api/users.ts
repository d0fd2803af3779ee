import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AnswerOf, type BodyOf, request } from './request.ts';
import { meKey } from './session.ts';

/** A console user. */
export type User = AnswerOf<'consoleUsers'>['data'][number];
/** A one-time sign-in link, shown once. */
export type SignInLink = AnswerOf<'consoleCreateUser'>;
/** A session of the signed-in user. */
export type OwnSession = AnswerOf<'consoleSessions'>['data'][number];

/** The users of the account. */
export const useUsers = () =>
  useQuery({
    queryKey: ['users'],
    queryFn: async ({ signal }) => (await request('consoleUsers', {}, { signal })).data,
  });

/** The sessions of the signed-in user, newest first. */
export const useSessions = () =>
  useQuery({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) => (await request('consoleSessions', {}, { signal })).data,
  });

function useChange<Input, Output>(key: string, change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSuccess: () => queries.invalidateQueries({ queryKey: [key] }) });
}

/** Creates a user; the response contains their sign-in link. */
export const useCreateUser = () =>
  useChange('users', (body: BodyOf<'consoleCreateUser'>) => request('consoleCreateUser', { body }));

/** Creates a sign-in link, which replaces the previous one. */
export const useNewLink = () => useChange('users', (id: string) => request('consoleInviteUser', { path: { id } }));

/** Deletes a user and ends their sessions. */
export const useDeleteUser = () => useChange('users', (id: string) => request('consoleDeleteUser', { path: { id } }));

/** Ends one of the user's own sessions. */
export const useEndSession = () =>
  useChange('sessions', (id: string) => request('consoleEndSession', { path: { id } }));

/** Sets a password, which ends every other session. */
export const useSetPassword = () =>
  useChange(meKey[0], (body: BodyOf<'consoleSetPassword'>) => request('consoleSetPassword', { body }));

/** Changes the account's name, or whether it may exceed its credits. */
export const useChangeAccount = () =>
  useChange(meKey[0], (body: BodyOf<'consoleChangeAccount'>) => request('consoleChangeAccount', { body }));
