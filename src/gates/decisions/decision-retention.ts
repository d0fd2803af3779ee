import { yieldToEventLoop } from '../../platform/yielding.ts';
import type { DecisionsStore } from './decisions-store.ts';
import type { StatsStore } from './stats-store.ts';

const dayMs = 86_400_000;
/** Statistics outlive the log, so that this month can be compared with the same month of last year. */
const statsDays = 400;
/** Rows removed at a time; requests are served in between. */
const rowsAtOnce = 1_000;
/** Gates read at a time. */
const gatesAtOnce = 500;

/** The operations of the log that retention uses. */
export interface PrunedLog extends Pick<DecisionsStore, 'gateIds' | 'prune'> {
  /** Removes some sealed entries made before a moment; whether there may be more. */
  pruneSealed(beforeMs: number): Promise<boolean>;
  /** Removes up to `limit` entries of removed gates, and finally their sealed entries and counts; returns how many were removed. */
  pruneRemoved(limit: number): Promise<number>;
}

/** Removes expired entries, and the remaining data of deleted gates. */
export async function pruneDecisions(
  decisions: PrunedLog,
  stats: Pick<StatsStore, 'prune'>,
  nowMs: number,
  logDays: number,
): Promise<void> {
  const beforeMs = nowMs - logDays * dayMs;
  let gateIds: readonly string[] = [];
  do {
    gateIds = await decisions.gateIds(gateIds.at(-1) ?? '', gatesAtOnce);
    for (const gateId of gateIds) {
      do await yieldToEventLoop();
      while ((await decisions.prune(gateId, beforeMs, rowsAtOnce)) === rowsAtOnce);
    }
  } while (gateIds.length === gatesAtOnce);
  while (await decisions.pruneSealed(beforeMs)) await yieldToEventLoop();
  while ((await decisions.pruneRemoved(rowsAtOnce)) > 0) await yieldToEventLoop();
  await stats.prune(nowMs - statsDays * dayMs);
}
