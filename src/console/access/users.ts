import type { Actor } from '../../actor.ts';
import type { Role } from '../../http/session-api/session-context.ts';
import { isStorableText } from '../../input/json-value.ts';
import { ulid } from '../../ulid.ts';
import type { SecretTokens } from './secret-token.ts';
import type { UsersStore } from './users-store.ts';

/** Somebody who may sign in to the console, for one account. */
export interface User {
  readonly id: string;
  readonly accountId: string;
  /** In lower case; no two users have the same. */
  readonly email: string;
  readonly role: Role;
  readonly hasPassword: boolean;
  readonly createdAtMs: number;
  readonly signedInAtMs: number | null;
}

/** A user with what their password is checked against. */
export interface StoredUser extends User {
  readonly password: string | null;
}

/** A way in that works once; the token is here and nowhere else. */
export interface SignInLink {
  readonly token: string;
  readonly expiresAtMs: number;
}

/** A user, and the link that lets them in. */
export interface Invitation {
  readonly user: User;
  readonly link: SignInLink;
}

/** Something is wrong with what was asked for; `field` is where. */
export class UserProblem extends Error {
  readonly field: 'email' | 'account';
  constructor(field: 'email' | 'account', message: string) {
    super(message);
    this.name = 'UserProblem';
    this.field = field;
  }
}

/** What can be done with users. */
export interface Users {
  /** Throws a `UserProblem`. */
  create(wanted: { accountId: string; email: string; role: Role }, by: Actor): Promise<Invitation>;
  /** Oldest first; of every account with null. */
  list(accountId: string | null): Promise<User[]>;
  find(id: string): Promise<User | null>;
  findByEmail(email: string): Promise<User | null>;
  /** A link for a user, in place of any before; null when there is no such user. */
  invite(id: string, by: Actor): Promise<SignInLink | null>;
  /** Ends password, sessions and links, and gives a link to set a new password; null when there is no such user. */
  resetPassword(id: string, by: Actor): Promise<SignInLink | null>;
  /** False when the account has no such user. */
  remove(id: string, accountId: string, by: Actor): Promise<boolean>;
  /** A link for the first user, who is made where there is none; null once anybody has signed in, or without an account. */
  inviteFirst(by: Actor): Promise<Invitation | null>;
  hasAnybodySignedIn(): Promise<boolean>;
}

const linkMs = 86_400_000;
const mostUsers = 100;

/** Users over their store; `links` are the tokens of their links. */
export function createUsers(store: UsersStore, links: SecretTokens, now: () => number): Users {
  const invite = async (id: string, by: Actor): Promise<SignInLink | null> => {
    const token = links.create();
    const hash = links.hashOf(token) ?? '';
    const nowMs = now();
    const expiresAtMs = nowMs + linkMs;
    return (await store.replaceLink(id, { hash, expiresAtMs }, by, nowMs)) ? { token, expiresAtMs } : null;
  };
  const invitation = async (user: User, by: Actor): Promise<Invitation> => {
    const link = await invite(user.id, by);
    if (link === null) throw new UserProblem('email', 'The user was removed meanwhile.');
    return { user, link };
  };
  const create: Users['create'] = async ({ accountId, email, role }, by) => {
    const nowMs = now();
    const id = ulid(nowMs).toLowerCase();
    const user: User = {
      id,
      accountId,
      email: checkedEmail(email),
      role,
      hasPassword: false,
      createdAtMs: nowMs,
      signedInAtMs: null,
    };
    const outcome = await store.insert(user, mostUsers, by);
    if (outcome === 'no account') throw new UserProblem('account', `There is no account "${accountId}".`);
    if (outcome === 'taken') throw new UserProblem('email', takenSentence);
    if (outcome === 'full') throw new UserProblem('email', `An account has at most ${mostUsers} users.`);
    return await invitation(user, by);
  };
  return {
    create,
    list: (accountId) => store.list(accountId),
    find: (id) => store.find(id),
    findByEmail: (email) => store.findByEmail(email.trim().toLowerCase()),
    invite,
    resetPassword: async (id, by) => ((await store.resetPassword(id, by, now())) ? await invite(id, by) : null),
    remove: (id, accountId, by) => store.remove(id, accountId, by, now()),
    async inviteFirst(by) {
      if (await store.hasAnybodySignedIn()) return null;
      const inviteOperator = async (): Promise<Invitation | null> => {
        const operator = (await store.list(null)).find(({ role }) => role === 'operator');
        return operator === undefined ? null : await invitation(operator, by);
      };
      const invited = await inviteOperator();
      if (invited !== null) return invited;
      const account = await store.firstAccount();
      if (account === null) return null;
      try {
        return await create({ accountId: account.id, email: account.email, role: 'operator' }, by);
      } catch (error) {
        if (!(error instanceof UserProblem)) throw error;
        // A process that started in the same moment made the operator. Or the address is that of a member: whoever
        // made them with the command line can make an operator there, too.
        return await inviteOperator();
      }
    },
    hasAnybodySignedIn: () => store.hasAnybodySignedIn(),
  };
}

export const takenSentence = 'This address cannot be used: somebody has it already.';

/** The address in the form it is kept in; throws a `UserProblem` for what is none. */
export function checkedEmail(email: string): string {
  const kept = email.trim().toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(kept) || kept.length > 254 || !isStorableText(kept)) {
    throw new UserProblem('email', 'This is not an email address.');
  }
  return kept;
}
