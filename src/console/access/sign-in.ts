import { AppError, type AppErrorDetails, type ErrorCode } from '../../errors.ts';
import type { SessionUser } from '../../http/session-api/session-context.ts';
import { detachedCopy } from '../../platform/detached-copy.ts';
import { ulid } from '../../ulid.ts';
import type { Passwords } from './passwords.ts';
import type { SecretTokens } from './secret-token.ts';
import type { LinkTarget, NewSession } from './sessions.ts';
import type { SessionsStore } from './sessions-store.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';
import { checkedEmail, takenSentence } from './users.ts';
import type { UsersStore } from './users-store.ts';

/** The client of a sign-in. */
export interface Place {
  readonly from: string;
  readonly agent: string;
}

/** A new password, with the proof that the user may set it. */
export interface WantedPassword {
  readonly password: string;
  readonly currentPassword?: string;
  readonly email?: string;
}

/** Signs users in. Each way returns the token of a new session. */
export interface SignIn {
  /** Throws `sign_in_failed`, or `sign_in_throttled` after too many of those. */
  byPassword(email: string, password: string, place: Place): Promise<string>;
  /** Returns the target of a link, which stays valid. Throws `link_invalid`. */
  readLink(token: string, from: string): Promise<LinkTarget>;
  /** Throws `link_invalid`. */
  byLink(token: string, place: Place): Promise<string>;
  setPassword(sessionUser: SessionUser, wanted: WantedPassword, from: string): Promise<void>;
}

export interface SignInParts {
  readonly users: UsersStore;
  readonly sessions: SessionsStore;
  readonly sessionTokens: SecretTokens;
  readonly linkTokens: SecretTokens;
  readonly passwords: Passwords;
  readonly throttle: SignInThrottle;
  readonly now: () => number;
  /** Called for every failed attempt, for the operator's log. */
  onRefused(code: ErrorCode, from: string): void;
}

const agentLength = 200;
/** Twelve equal letters are no password. */
const minCharacters = 5;

export function createSignIn(parts: SignInParts): SignIn {
  const { users, sessions, sessionTokens, linkTokens, passwords, throttle, now } = parts;

  const refusal = (code: ErrorCode, from: string, details: AppErrorDetails = {}): AppError => {
    parts.onRefused(code, from);
    return new AppError(code, details);
  };

  /** Checks a password within the limits of the throttle. */
  const isRight: IsRight = async (email, from, password, stored) => {
    const mustNotWait = (retryAfterSeconds: number): void => {
      if (retryAfterSeconds > 0) throw refusal('sign_in_throttled', from, { retryAfterSeconds });
    };
    // A throttled attempt takes no slot, and an attempt counts only when its slot is free.
    const { waitSeconds, isKnown } = await throttle.stateOf(email, from);
    mustNotWait(waitSeconds);
    const begin = async (): Promise<void> => mustNotWait(await throttle.begin(email, from));
    return await passwords.verify(password, stored, { knownUser: isKnown ? email : null, begin });
  };

  return {
    async byPassword(sent, password, place) {
      const email = sent.trim().toLowerCase();
      const user = await users.findByEmail(email);
      const stored = user?.password ?? null;
      // An unknown user takes as long as a known one, so that timing does not reveal who has an account.
      const isTheirs = await isRight(email, place.from, password, stored);
      if (!isTheirs || user === null || stored === null) throw refusal('sign_in_failed', place.from);
      const { token, session } = newSession(sessionTokens, place, now());
      if (!(await sessions.beginByPassword(user.id, stored, session))) throw refusal('sign_in_failed', place.from);
      await throttle.succeeded(email, place.from);
      return token;
    },
    async readLink(linkToken, from) {
      const hash = linkTokens.hashOf(linkToken);
      const target = hash === null ? null : await sessions.findLink(hash, now());
      if (target === null) throw refusal('link_invalid', from);
      return target;
    },
    async byLink(linkToken, place) {
      const hash = linkTokens.hashOf(linkToken);
      const { token, session } = newSession(sessionTokens, place, now());
      const userId = hash === null ? null : await sessions.beginByLink(hash, session);
      if (userId === null) throw refusal('link_invalid', place.from);
      return token;
    },
    setPassword: createPasswordChange(parts, isRight),
  };
}

type IsRight = (email: string, from: string, password: string, stored: string | null) => Promise<boolean>;

/** Sets passwords; `isRight` checks the current one. */
function createPasswordChange(
  { users, passwords, throttle, now }: SignInParts,
  isRight: IsRight,
): SignIn['setPassword'] {
  return async ({ userId, session }, { password, currentPassword, email }, from) => {
    const user = await users.find(userId);
    if (user === null) throw new AppError('session_required');
    if (user.password !== null && !session.byLink) {
      if (currentPassword === undefined) throw wrong('current_password', 'The current_password field is required.');
      const isTheirs = await isRight(user.email, from, currentPassword, user.password);
      if (!isTheirs) throw wrong('current_password', 'This is not your current password.');
      await throttle.succeeded(user.email, from);
    }
    const kept = email === undefined ? user.email : checkedEmail(email);
    if (new Set(password).size < minCharacters) {
      throw wrong('password', `The password must have at least ${minCharacters} different characters.`);
    }
    if (password.toLowerCase().includes(kept)) throw wrong('password', 'The password must not contain your address.');
    const change = {
      userId,
      password: await passwords.hash(password, userId),
      keptSessionId: session.id,
      ...(kept === user.email ? {} : { email: kept }),
    };
    const by = { kind: 'user', id: userId, from } as const;
    const outcome = await users.setPassword(change, by, now());
    if (outcome === 'taken') throw wrong('email', takenSentence);
    if (outcome === 'gone') throw new AppError('session_required');
    await throttle.remember(kept, from);
  };
}

function newSession(tokens: SecretTokens, { from, agent }: Place, createdAtMs: number) {
  const token = tokens.create();
  const session: NewSession = {
    id: ulid(createdAtMs).toLowerCase(),
    hash: tokens.hashOf(token) ?? '',
    createdAtMs,
    from,
    agent: detachedCopy(agent.replaceAll('\0', ''), agentLength),
  };
  return { token, session };
}

function wrong(field: string, message: string): AppError {
  return new AppError('validation_failed', { errors: { [field]: [message] } });
}
