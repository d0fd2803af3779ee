import type { Actor } from '../../actor.ts';
import type { Role } from '../../http/session-api/session-context.ts';
import { hasControlCharacters, isStorableText } from '../../input/json-value.ts';
import { ulid } from '../../ulid.ts';
import type { SecretTokens } from './secret-token.ts';
import type { UsersStore } from './users-store.ts';

/** A user of the console, for one account. */
export interface User {
  readonly id: string;
  readonly accountId: string;
  /** In lower case; no two users with a password have the same, nor two of one account. */
  readonly email: string;
  readonly role: Role;
  readonly hasPassword: boolean;
  readonly createdAtMs: number;
  readonly signedInAtMs: number | null;
}

/** A user with their password hash. */
export interface StoredUser extends User {
  readonly password: string | null;
}

/** A sign-in link that works once; its token is stored nowhere. */
export interface SignInLink {
  readonly token: string;
  readonly expiresAtMs: number;
}

/** A user, and their sign-in link. */
export interface Invitation {
  readonly user: User;
  readonly link: SignInLink;
}

/** An invalid request; `field` names the invalid field. */
export class UserProblem extends Error {
  readonly field: 'email' | 'account';
  constructor(field: 'email' | 'account', message: string) {
    super(message);
    this.name = 'UserProblem';
    this.field = field;
  }
}

/** Manages users. */
export interface Users {
  /** Throws a `UserProblem`. */
  create(wanted: { accountId: string; email: string; role: Role }, by: Actor): Promise<Invitation>;
  /** Oldest first; null lists every account. */
  list(accountId: string | null): Promise<User[]>;
  find(id: string): Promise<User | null>;
  /** Creates a link for a user, which replaces the previous one; null for an unknown user. */
  invite(id: string, by: Actor): Promise<SignInLink | null>;
  /** Removes the password, sessions and links, and creates a link to set a new password; null for an unknown user. */
  resetPassword(id: string, by: Actor): Promise<SignInLink | null>;
  /** False when the account has no such user. */
  remove(id: string, accountId: string, by: Actor): Promise<boolean>;
  /** Creates a link for the first user, and the user if necessary; null once a user has signed in, or without an account. */
  inviteFirst(by: Actor): Promise<Invitation | null>;
  hasAnybodySignedIn(): Promise<boolean>;
}

const linkMs = 86_400_000;
const maxUsers = 100;

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
    if (link === null) throw new UserProblem('email', 'The user was deleted meanwhile.');
    return { user, link };
  };
  const create: Users['create'] = async (wanted, by) => {
    const user = newUser(wanted, now());
    const outcome = await store.insert(user, maxUsers, by);
    if (outcome === 'no account') throw new UserProblem('account', `There is no account "${wanted.accountId}".`);
    if (outcome === 'taken') throw new UserProblem('email', takenSentence);
    if (outcome === 'full') throw new UserProblem('email', `An account has at most ${maxUsers} users.`);
    return await invitation(user, by);
  };
  return {
    create,
    list: (accountId) => store.list(accountId),
    find: (id) => store.find(id),
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
        // Another process created the operator at the same time. Or a member has the address: the person who
        // created them with the command line can create an operator there, too.
        return await inviteOperator();
      }
    },
    hasAnybodySignedIn: () => store.hasAnybodySignedIn(),
  };
}

function newUser({ accountId, email, role }: Parameters<Users['create']>[0], nowMs: number): User {
  return {
    id: ulid(nowMs).toLowerCase(),
    accountId,
    email: checkedEmail(email),
    role,
    hasPassword: false,
    createdAtMs: nowMs,
    signedInAtMs: null,
  };
}

export const takenSentence = 'This address is already in use.';

/** The address in its stored form; throws a `UserProblem` for an invalid one. */
export function checkedEmail(email: string): string {
  const kept = email.trim().toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(kept) || kept.length > 254 || !isStorableText(kept) || hasControlCharacters(kept)) {
    throw new UserProblem('email', 'This is not an email address.');
  }
  return kept;
}
