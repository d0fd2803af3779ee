import type { Actor } from '../../actor.ts';
import type { Throughput } from '../admission.ts';
import type { Caller, Environment } from '../endpoint.ts';

/** `member`: everything of one account. `operator`: also what serves every account. */
export const roles = ['member', 'operator'] as const;
export type Role = (typeof roles)[number];

/** Somebody who is signed in, by one session. */
export interface SessionUser {
  readonly userId: string;
  readonly accountId: string;
  readonly role: Role;
  readonly session: {
    readonly id: string;
    readonly createdAtMs: number;
    readonly endsAtMs: number;
    /** The session began with a link: its owner can set a password without knowing the one before. */
    readonly byLink: boolean;
  };
}

/** One request to the console, as its endpoints see it. */
export interface SessionContext {
  /** Throws `session_required` when nobody is signed in. */
  readonly sessionUser: SessionUser;
  /** The sessionUser as the author of a change. */
  readonly by: Actor;
  /** What the cookie holds, be it good or not; null without one. */
  readonly token: string | null;
  /** The client's IP address. */
  readonly from: string;
  /** What the browser calls itself; empty when it does not. */
  readonly agent: string;
  readonly baseUrl: string;
  /** Hands the browser a session, in place of any that it had; null takes it away. */
  setSession(token: string | null): void;
}

/** Who may come into the console. Implemented by `console/`. */
export interface SessionAdmission {
  /** What the name of the cookie ends with: installations on one host share its cookies, whatever their ports. */
  readonly cookieSuffix: string;
  /** Who is behind a token; null when it is not good, or no longer. */
  identify(token: string): Promise<SessionUser | null>;
  /** The sessionUser as somebody who calls endpoints; null when the account is gone. */
  callerOf(sessionUser: SessionUser, environment: Environment): Promise<Caller | null>;
  /** What people click is counted apart from what an account's keys ask. */
  takeToken(sessionUser: SessionUser): Throughput;
}
