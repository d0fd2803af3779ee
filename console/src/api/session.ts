import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AnswerOf, type BodyOf, request } from './request.ts';
import { sessionStarted } from './session-state.ts';

/** The signed-in user, their account and session. */
export type Me = AnswerOf<'consoleMe'>;

/** The cache key of the signed-in user. */
export const meKey = ['me'] as const;

const signInState = queryOptions({
  queryKey: meKey,
  queryFn: ({ signal }) => request('consoleSignInState', {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The signed-in user; null when the browser is signed out. */
export const useMe = () => useQuery({ ...signInState, select: ({ me }) => me });

/** The command that prints a sign-in link, until the first user has signed in; then null. */
export const useFirstRun = () =>
  useQuery({ ...signInState, select: ({ first_run, command }) => (first_run ? command : null) });

/** Signs in, and repeats the requests that failed without a session. */
export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (credentials: BodyOf<'consoleSignIn'>) => request('consoleSignIn', { body: credentials }),
    meta: { isSignIn: true },
    onSuccess: async (me) => {
      queries.setQueryData(signInState.queryKey, { me, first_run: false, command: '' });
      sessionStarted();
      await queries.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] !== 'me' && queryKey[0] !== 'lookup',
      });
    },
  });
}

/** Reads whom a one-time link signs in; the link stays valid. */
export function useReadLink() {
  return useMutation({
    mutationFn: (token: string) => request('consoleReadLink', { body: { token } }),
    meta: { isSignIn: true },
  });
}

/** Signs out, here or everywhere; reloading the page clears its memory. */
export function useSignOut() {
  return useMutation({
    mutationFn: (everywhere: boolean) => request('consoleSignOut', { body: everywhere ? { everywhere } : {} }),
    onSuccess: () => location.assign('/console/'),
  });
}
