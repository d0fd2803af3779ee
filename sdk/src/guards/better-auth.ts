import { refusalOf, type WithoutChallenge } from './guard.ts';

/** Settings of the guard for Better Auth. */
export interface BetterAuthSettings<Context> extends WithoutChallenge {
  /** Better Auth's own, from `better-auth/api`: it turns into the answer. */
  readonly APIError: new (
    status: 'UNPROCESSABLE_ENTITY' | 'SERVICE_UNAVAILABLE',
    body: { code: string; message: string },
  ) => Error;
  readonly ip?: ((context: Context) => string | null | undefined) | undefined;
}

/** A hook for `databaseHooks.user.create.before` of Better Auth: a visitor whom the gate blocks does not become a user. */
export function signUpGuard<Context>(settings: BetterAuthSettings<Context>) {
  const { APIError, ip } = settings;
  return async (user: { readonly email?: unknown }, context: Context): Promise<void> => {
    const refusal = await refusalOf(settings, { email: user.email, ip: ip?.(context) });
    if (refusal === null) return;
    const { error, message } = refusal.body;
    const status = refusal.status === 503 ? 'SERVICE_UNAVAILABLE' : 'UNPROCESSABLE_ENTITY';
    throw new APIError(status, { code: error.toUpperCase(), message });
  };
}
