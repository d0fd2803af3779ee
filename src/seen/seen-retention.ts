import { reversedName } from '../address/reversed-name.ts';
import { yieldToEventLoop } from '../platform/yielding.ts';
import { encodeSeen, withoutAccount } from './seen-block.ts';
import type { SeenStore } from './seen-store.ts';

/** A block of so many rows is some seven kilobytes compressed. */
const rowsPerBlock = 1_000;
/** Blocks and rows removed in one statement. */
const removedPerStatement = 500;
/** Blocks listed by one query. */
const blocksPerQuery = 500;
/** Rows of all environments and days; beyond it the oldest days are removed. */
const maxRows = 20_000_000;

/** Replaces the rows of days before this one by blocks; requests are served between two blocks. */
export async function sealDays(store: SeenStore, beforeDay: number, ended: AbortSignal): Promise<void> {
  for (const day of await store.openDays()) {
    if (day >= beforeDay) return;
    while (!ended.aborted && (await store.seal(day, rowsPerBlock, encodeSeen)) > 0) await yieldToEventLoop();
  }
}

/** Removes sightings before a day, and the oldest days when there are too many. */
export async function pruneSeen(
  store: SeenStore,
  beforeDay: number,
  ended: AbortSignal,
  limit = maxRows,
): Promise<void> {
  const firstDay = Math.max(beforeDay, await firstDayWithin(store, limit));
  while (!ended.aborted && (await store.removeBefore(firstDay, removedPerStatement))) await yieldToEventLoop();
}

/** The first day from which on no more than `limit` rows are sealed. */
async function firstDayWithin(store: SeenStore, limit: number): Promise<number> {
  let rows = 0;
  for (const { day, entries } of await store.sealedDays()) {
    rows += entries;
    if (rows > limit) return day + 1;
  }
  return 0;
}

/** Removes an account's sightings, or those of one domain. */
export async function removeSeenBy(store: SeenStore, accountId: string, domain: string | null = null): Promise<void> {
  const name = domain === null ? null : reversedName(domain);
  // Rows first: a row that is sealed meanwhile is found in its block.
  await store.removeRows(accountId, name);
  for (let blocks = await store.blocks(0, blocksPerQuery); blocks.length > 0; ) {
    for (const { no } of blocks) await store.rewrite(no, (body) => withoutAccount(body, accountId, name));
    blocks = await store.blocks(blocks.at(-1)?.no ?? 0, blocksPerQuery);
  }
}
