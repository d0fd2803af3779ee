import type { Actor } from '../actor.ts';
import { yieldToEventLoop } from '../platform/yielding.ts';
import type { AuditStore } from './audit-store.ts';

/** An entry of the audit trail: who did what, when and from where. */
export interface AuditLine {
  readonly id: string;
  readonly atMs: number;
  readonly by: Actor;
  readonly accountId: string | null;
  readonly environment: string | null;
  readonly action: string;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Selects entries of the trail. */
export interface AuditFilter {
  readonly accountId?: string;
  /** `key.created`, or `key` for every action on keys. */
  readonly action?: string;
  /** The id of the actor. */
  readonly actor?: string;
  readonly subject?: string;
  /** Inclusive. */
  readonly fromMs?: number;
  /** Exclusive. */
  readonly toMs?: number;
}

const dayMs = 86_400_000;
const keptDays = 400;
/** A customer who keeps changing a gate must not fill the disk, nor displace the operator's acts. */
const maxOwnEntries = 100_000;
/** Entries per deletion; the event loop runs in between. */
const batchSize = 1_000;

/** Removes entries older than the retention, and an account's oldest entries by keys or users beyond the limit. */
export async function pruneAudit(
  store: Pick<AuditStore, 'prune' | 'accountsOver' | 'trimAccount'>,
  nowMs: number,
  maxEntries = maxOwnEntries,
): Promise<void> {
  while ((await store.prune(nowMs - keptDays * dayMs, batchSize)) === batchSize) await yieldToEventLoop();
  for (const by of ['key', 'user'] as const) {
    for (const accountId of await store.accountsOver(by, maxEntries)) {
      while ((await store.trimAccount(accountId, by, maxEntries, batchSize)) === batchSize) await yieldToEventLoop();
    }
  }
}
