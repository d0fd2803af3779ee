import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from './request.ts';
import { meKey } from './session.ts';

/** Somebody who may sign in. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly role: 'member' | 'operator';
  readonly has_password: boolean;
  readonly created_at: string;
  readonly signed_in_at: string | null;
  readonly you: boolean;
}

/** A one-time link, shown once. */
export interface SignInLink {
  readonly user: User;
  readonly link: { readonly url: string; readonly expires_at: string };
}

/** A session of the signed-in user. */
export interface OwnSession {
  readonly id: string;
  readonly created_at: string;
  readonly seen_at: string;
  readonly from: string | null;
  readonly agent: string | null;
  readonly current: boolean;
}

/** The users of the account. */
export const useUsers = () =>
  useQuery({
    queryKey: ['users'],
    queryFn: async ({ signal }) => (await request<{ data: readonly User[] }>('GET', '/users', { signal })).data,
  });

/** The sessions of the signed-in user, newest first. */
export const useSessions = () =>
  useQuery({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) =>
      (await request<{ data: readonly OwnSession[] }>('GET', '/me/sessions', { signal })).data,
  });

function useChange<Input, Output>(key: string, change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSuccess: () => queries.invalidateQueries({ queryKey: [key] }) });
}

/** Adds a user; the answer has the link that lets them in. */
export const useCreateUser = () =>
  useChange('users', (body: { email: string; role: User['role'] }) => request<SignInLink>('POST', '/users', { body }));

/** A new link for a user, which replaces the one before. */
export const useNewLink = () =>
  useChange('users', (id: string) => request<SignInLink>('POST', `/users/${id}/link`, { body: {} }));

/** Removes a user and ends their sessions. */
export const useRemoveUser = () => useChange('users', (id: string) => request('DELETE', `/users/${id}`));

/** Ends one of the own sessions. */
export const useEndSession = () => useChange('sessions', (id: string) => request('DELETE', `/me/sessions/${id}`));

/** What a new password takes. */
export interface NewPassword {
  readonly password: string;
  readonly current_password?: string;
  readonly email?: string;
}

/** Chooses a password, which ends every other session. */
export const useSetPassword = () =>
  useChange(meKey[0], (body: NewPassword) => request('PUT', '/me/password', { body }));

/** Changes the account's name, or whether it may go over its credits. */
export const useChangeAccount = () =>
  useChange(meKey[0], (body: { name?: string; overage?: boolean }) => request('PATCH', '/account', { body }));
