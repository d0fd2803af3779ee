import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from './request.ts';
import { sessionBegun } from './session-state.ts';

/** Who is signed in, and to what. */
export interface Me {
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly role: 'member' | 'operator';
    readonly has_password: boolean;
    /** Whether a new password asks for the one before. */
    readonly password_needed: boolean;
  };
  readonly account: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly overage: boolean;
    readonly created_at: string;
    readonly plan: {
      readonly id: string;
      readonly name: string;
      readonly pro: boolean;
      readonly credits: number;
      readonly rate_limit: number;
      readonly blocklist_entries: number;
    };
  };
  readonly version: string;
}

/** What a sign-in takes: a password, or the token of a one-time link. */
export type Credentials = { readonly email: string; readonly password: string } | { readonly token: string };

/** Under which the signed-in user is kept. */
export const meKey = ['me'] as const;

/** How somebody who opens the console stands. */
interface Standing {
  /** Null: nobody is signed in. */
  readonly me: Me | null;
  /** Nobody has ever been. */
  readonly first_run: boolean;
  /** What prints a link. */
  readonly command: string;
}

const standing = queryOptions({
  queryKey: meKey,
  queryFn: ({ signal }) => request<Standing>('GET', '/sign-in', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Who is signed in; null is nobody. */
export const useMe = () => useQuery({ ...standing, select: ({ me }) => me });

/** The command that prints a link, where nobody has ever signed in; null elsewhere. */
export const useFirstRun = () =>
  useQuery({ ...standing, select: ({ first_run, command }) => (first_run ? command : null) });

/** Signs in; what the page asked for in vain is asked again. */
export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (credentials: Credentials) => request<Me>('POST', '/sign-in', { body: credentials }),
    meta: { isSignIn: true },
    onSuccess: async (me) => {
      queries.setQueryData(standing.queryKey, { me, first_run: false, command: '' });
      sessionBegun();
      await queries.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] !== 'me' && queryKey[0] !== 'lookup',
      });
    },
  });
}

/** Signs out, here or everywhere; nothing of the session stays in memory. */
export function useSignOut() {
  return useMutation({
    mutationFn: (everywhere: boolean) => request('POST', '/sign-out', { body: everywhere ? { everywhere } : {} }),
    onSuccess: () => location.assign('/console/'),
  });
}
