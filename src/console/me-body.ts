import { AppError } from '../errors.ts';
import { type CallerPlan, environments } from '../http/endpoint.ts';
import { roles, type SessionUser } from '../http/session-api/session-context.ts';
import { wireTime } from '../http/wire-time.ts';
import { schema } from '../input/schema.ts';
import { version } from '../version.ts';
import type { Users } from './access/users.ts';

/** An account as the console shows it. */
export interface AccountView {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly overage: boolean;
  readonly createdAtMs: number;
  readonly plan: CallerPlan;
}

/** How the console reads accounts. */
export interface ConsoleAccounts {
  /** Null when the account no longer exists. */
  read(id: string): Promise<AccountView | null>;
}

/** Builds the response of `GET /me` for a signed-in user. */
export type MeBody = (sessionUser: SessionUser) => Promise<object>;

export function createMeBody(users: Pick<Users, 'find'>, accounts: ConsoleAccounts): MeBody {
  return async ({ userId, accountId, session }) => {
    const [user, account] = await Promise.all([users.find(userId), accounts.read(accountId)]);
    // Removed while the request was in progress.
    if (user === null || account === null) throw new AppError('session_required');
    const { id, email, role, hasPassword } = user;
    return {
      user: { id, email, role, has_password: hasPassword, password_needed: hasPassword && !session.byLink },
      account: accountBody(account),
      session: { id: session.id, created_at: wireTime(session.createdAtMs), ends_at: wireTime(session.endsAtMs) },
      environments,
      version,
    };
  };
}

export function accountBody({ id, name, email, overage, createdAtMs, plan }: AccountView): object {
  return {
    id,
    name,
    email,
    overage,
    created_at: wireTime(createdAtMs),
    plan: {
      id: plan.id,
      name: plan.name,
      pro: plan.pro,
      credits: plan.credits,
      rate_limit: plan.rateLimit,
      blocklist_entries: plan.blocklistEntries,
    },
  };
}

export const accountSchema = schema.object({
  id: schema.string(),
  name: schema.string(),
  email: schema.string(),
  overage: schema.boolean(),
  created_at: schema.string(),
  plan: schema.object({
    id: schema.string(),
    name: schema.string(),
    pro: schema.boolean(),
    credits: schema.integer(),
    rate_limit: schema.number(),
    blocklist_entries: schema.integer(),
  }),
});

export const meSchema = schema.object({
  user: schema.object({
    id: schema.string(),
    email: schema.string(),
    role: schema.oneOf(roles),
    has_password: schema.boolean(),
    password_needed: schema.boolean({ description: 'Whether a new password requires the current one' }),
  }),
  account: accountSchema,
  session: schema.object({ id: schema.string(), created_at: schema.string(), ends_at: schema.string() }),
  environments: schema.array(schema.oneOf(environments)),
  version: schema.string(),
});
