import { refusalOf, type WithoutChallenge } from './guard.ts';

interface AnyUser {
  readonly id?: string | undefined;
  readonly email?: string | null | undefined;
}

/** Settings of the guard for Auth.js. */
export interface AuthJsSettings extends WithoutChallenge {
  /** Whether the user is new; without it the gate is asked at every sign-in. */
  readonly isNew?: ((user: AnyUser) => boolean | Promise<boolean>) | undefined;
  /** The treatment of a user without an address, as some providers send them; `refuse` by default. */
  readonly noEmail?: 'allow' | 'refuse' | undefined;
  /** Where refused visitors go; by default the error page of Auth.js. */
  readonly refusedUrl?: string | undefined;
  /** Where visitors go while the service is unavailable and `failOpen` blocks; by default as `refusedUrl`. */
  readonly unavailableUrl?: string | undefined;
}

/** A `signIn` callback for Auth.js: a visitor whom the gate blocks is neither signed in nor sent a link. */
export function signInGuard(settings: AuthJsSettings) {
  const { isNew = () => true, noEmail = 'refuse', refusedUrl, unavailableUrl = refusedUrl } = settings;
  return async ({ user }: { readonly user: AnyUser }): Promise<boolean | string> => {
    if (!(await isNew(user))) return true;
    if (!user.email && noEmail === 'allow') return true;
    const refusal = await refusalOf(settings, { email: user.email });
    if (refusal === null) return true;
    return (refusal.status === 503 ? unavailableUrl : refusedUrl) ?? false;
  };
}
