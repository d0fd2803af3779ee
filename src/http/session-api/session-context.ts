import type { Actor } from '../../actor.ts';
import type { Throughput } from '../admission.ts';
import type { Caller, Environment } from '../endpoint.ts';

/** `member`: everything of one account. `operator`: also everything that serves every account. */
export const roles = ['member', 'operator'] as const;
export type Role = (typeof roles)[number];

/** A signed-in user, by one session. */
export interface SessionUser {
  readonly userId: string;
  readonly accountId: string;
  readonly role: Role;
  readonly session: {
    readonly id: string;
    readonly createdAtMs: number;
    readonly endsAtMs: number;
    /** The session started with a link: the user can set a password without the current one. */
    readonly byLink: boolean;
  };
}

/** One request to the console, as its endpoints see it. */
export interface SessionContext {
  /** Throws `session_required` without a session. */
  readonly sessionUser: SessionUser;
  /** The user as the author of a change. */
  readonly by: Actor;
  /** The token in the cookie, valid or not; null without one. */
  readonly token: string | null;
  /** The client's IP address. */
  readonly from: string;
  /** The user agent; empty without one. */
  readonly agent: string;
  /** The base of sign-in links; throws when the host of the request may not be used for them. */
  linkBase(): string;
  /** Sets the session cookie, or with null removes it. */
  setSession(token: string | null): void;
}

/** Admits requests to the console. Implemented by `console/`. */
export interface SessionAdmission {
  /** The suffix of the cookie's name: installations on one host share cookies, even on different ports. */
  readonly cookieSuffix: string;
  /** The user of a token; null when it is invalid or expired. */
  identify(token: string): Promise<SessionUser | null>;
  /** The user as a caller of endpoints; null when the account no longer exists. */
  callerOf(sessionUser: SessionUser, environment: Environment): Promise<Caller | null>;
  /** Console requests are counted separately from requests with the account's keys. */
  takeToken(sessionUser: SessionUser): Throughput;
}
