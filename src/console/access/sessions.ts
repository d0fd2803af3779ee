import type { Role, SessionUser } from '../../http/session-api/session-context.ts';
import type { SecretTokens } from './secret-token.ts';
import type { SessionsStore } from './sessions-store.ts';

/** A session to begin. */
export interface NewSession {
  readonly id: string;
  readonly hash: string;
  readonly createdAtMs: number;
  readonly from: string;
  readonly agent: string;
}

/** A session and whose it is. */
export interface FoundSession {
  readonly id: string;
  readonly byLink: boolean;
  readonly createdAtMs: number;
  readonly seenAtMs: number;
  readonly userId: string;
  readonly accountId: string;
  readonly role: Role;
}

/** A session as its user sees it. */
export interface OwnSession {
  readonly id: string;
  readonly createdAtMs: number;
  /** Of the last request, to some minutes. */
  readonly seenAtMs: number;
  readonly from: string;
  readonly agent: string;
}

const hourMs = 3_600_000;
const idleMs = 12 * hourMs;
const longestMs = 30 * 24 * hourMs;
/** So long a link stands for the password: a browser left open must not do so for days. */
const linkCountsMs = hourMs;
/** Written no more often than this: reading a page must not become a row of writes. */
const seenEveryMs = 300_000;

/** Sessions under way. */
export interface Sessions {
  /** Who is behind a token; null when it is not good, or no longer. Nothing is kept in memory, so an end is at once. */
  identify(token: string): Promise<SessionUser | null>;
  end(token: string): Promise<void>;
  /** Removes what nobody can use any more. */
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
