import type { Actor } from '../actor.ts';
import { yieldToEventLoop } from '../platform/yielding.ts';
import type { AuditStore } from './audit-store.ts';

/** One line of the audit trail: who did what, when and from where. */
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

/** Which part of the trail is wanted. */
export interface AuditFilter {
  readonly accountId?: string;
  /** `key.created`, or `key` for everything done to keys. */
  readonly action?: string;
  /** The id of whoever did it. */
  readonly actor?: string;
  readonly subject?: string;
  /** From this moment on. */
  readonly fromMs?: number;
  /** Until before this moment. */
  readonly toMs?: number;
}

const dayMs = 86_400_000;
const keptDays = 400;
/** A customer who changes a gate all day long must not fill the disk; what the operator did is never crowded out. */
const mostByOwn = 100_000;
/** Entries removed at a time; requests are served in between. */
const atOnce = 1_000;

/** Removes what is older than the trail is kept, and what keys, or users, of one account noted beyond their share. */
export async function pruneAudit(
  store: Pick<AuditStore, 'prune' | 'crowded' | 'thin'>,
  nowMs: number,
  most = mostByOwn,
): Promise<void> {
  while ((await store.prune(nowMs - keptDays * dayMs, atOnce)) === atOnce) await yieldToEventLoop();
  for (const by of ['key', 'user'] as const) {
    for (const accountId of await store.crowded(by, most)) {
      while ((await store.thin(accountId, by, most, atOnce)) === atOnce) await yieldToEventLoop();
    }
  }
}
