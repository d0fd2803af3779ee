import { AppError } from '../errors.ts';
import { field, nested, same, time, wireOf } from '../http/answers/wire-fields.ts';
import { type CallerPlan, environments } from '../http/endpoint.ts';
import { roles, type SessionUser } from '../http/session-api/session-context.ts';
import { schema } from '../input/schema.ts';
import { version } from '../version.ts';
import type { User, Users } from './access/users.ts';

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

/** The signed-in user, with their account and session. */
export interface Me {
  readonly user: User;
  readonly account: AccountView;
  readonly session: SessionUser['session'];
}

/** Reads who is signed in. */
export type ReadMe = (sessionUser: SessionUser) => Promise<Me>;

export function createReadMe(users: Pick<Users, 'find'>, accounts: ConsoleAccounts): ReadMe {
  return async ({ userId, accountId, session }) => {
    const [user, account] = await Promise.all([users.find(userId), accounts.read(accountId)]);
    // Removed while the request was in progress.
    if (user === null || account === null) throw new AppError('session_required');
    return { user, account, session };
  };
}

const planBody = wireOf<CallerPlan>({
  ...same<CallerPlan>({
    id: schema.string(),
    name: schema.string(),
    pro: schema.boolean(),
    credits: schema.integer(),
  }),
  rate_limit: field(schema.number(), ({ rateLimit }) => rateLimit),
  blocklist_entries: field(schema.integer(), ({ blocklistEntries }) => blocklistEntries),
});

export const accountBody = wireOf<AccountView>({
  ...same<AccountView>({
    id: schema.string(),
    name: schema.string(),
    email: schema.string(),
    overage: schema.boolean(),
  }),
  created_at: time(({ createdAtMs }) => createdAtMs),
  plan: nested(planBody, ({ plan }) => plan),
});

const userBody = wireOf<Me>({
  id: field(schema.string(), ({ user }) => user.id),
  email: field(schema.string(), ({ user }) => user.email),
  role: field(schema.oneOf(roles), ({ user }) => user.role),
  has_password: field(schema.boolean(), ({ user }) => user.hasPassword),
  password_needed: field(
    schema.boolean({ description: 'Whether a new password requires the current one' }),
    ({ user, session }) => user.hasPassword && !session.byLink,
  ),
});

/** The response of `GET /me`. */
export const meBody = wireOf<Me>({
  user: nested(userBody, (me) => me),
  account: nested(accountBody, ({ account }) => account),
  'session.id': field(schema.string(), ({ session }) => session.id),
  'session.created_at': time(({ session }) => session.createdAtMs),
  'session.ends_at': time(({ session }) => session.endsAtMs),
  environments: field(schema.array(schema.oneOf(environments)), () => environments),
  version: field(schema.string(), () => version),
});
