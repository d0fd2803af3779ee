import { AppError } from '../errors.ts';
import { type CallerPlan, environments } from '../http/endpoint.ts';
import type { SessionUser } from '../http/session-api/session-context.ts';
import { wireTime } from '../http/wire-time.ts';
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

/** What the console needs of accounts. */
export interface ConsoleAccounts {
  /** Null when it is gone. */
  read(id: string): Promise<AccountView | null>;
}

/** Writes what `GET /me` answers for a sessionUser. */
export type MeBody = (sessionUser: SessionUser) => Promise<object>;

export function createMeBody(users: Pick<Users, 'find'>, accounts: ConsoleAccounts): MeBody {
  return async ({ userId, accountId, session }) => {
    const [user, account] = await Promise.all([users.find(userId), accounts.read(accountId)]);
    // Removed while the request was on its way.
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

/** An account on the wire. */
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
