import type { Role, SessionUser } from '../../http/session-api/session-context.ts';
import type { SecretTokens } from './secret-token.ts';
import type { SessionsStore } from './sessions-store.ts';

/** A session to create. */
export interface NewSession {
  readonly id: string;
  readonly hash: string;
  readonly createdAtMs: number;
  readonly from: string;
  readonly agent: string;
}

/** A session with its user. */
export interface FoundSession {
  readonly id: string;
  readonly byLink: boolean;
  readonly createdAtMs: number;
  readonly seenAtMs: number;
  readonly userId: string;
  readonly accountId: string;
  readonly role: Role;
}

/** The user and the account of a sign-in link. */
export interface LinkTarget {
  readonly email: string;
  /** The account's name. */
  readonly account: string;
}

/** A session as its user sees it. */
export interface OwnSession {
  readonly id: string;
  readonly createdAtMs: number;
  /** The time of the last request, to a few minutes. */
  readonly seenAtMs: number;
  readonly from: string;
  readonly agent: string;
}

const hourMs = 3_600_000;
const idleMs = 12 * hourMs;
const longestMs = 30 * 24 * hourMs;
/** How long a sign-in link replaces the current password: not for days in a browser left open. */
const linkCountsMs = hourMs;
/** The least time between writes: reading pages must not cause a write for each request. */
const seenEveryMs = 300_000;

/** The active sessions. */
export interface Sessions {
  /** The user of a token; null when it is invalid or expired. Nothing is cached, so that ending a session takes effect immediately. */
  identify(token: string): Promise<SessionUser | null>;
  end(token: string): Promise<void>;
  /** Removes expired sessions and links. */
  prune(): Promise<void>;
}

export function createSessions(store: SessionsStore, tokens: SecretTokens, now: () => number): Sessions {
  return {
    async identify(token) {
      const hash = tokens.hashOf(token);
      const found = hash === null ? null : await store.find(hash);
      if (found === null) return null;
      const nowMs = now();
      const endsAtMs = found.createdAtMs + longestMs;
      if (nowMs >= endsAtMs || nowMs >= found.seenAtMs + idleMs) return null;
      if (nowMs - found.seenAtMs >= seenEveryMs) await store.seen(found.id, nowMs);
      const { id, createdAtMs, userId, accountId, role } = found;
      const byLink = found.byLink && nowMs < createdAtMs + linkCountsMs;
      return { userId, accountId, role, session: { id, createdAtMs, endsAtMs, byLink } };
    },
    async end(token) {
      const hash = tokens.hashOf(token);
      if (hash !== null) await store.endByHash(hash);
    },
    prune() {
      const nowMs = now();
      return store.prune({ seenMs: nowMs - idleMs, createdMs: nowMs - longestMs, linksMs: nowMs });
    },
  };
}
