import { yieldToEventLoop } from '../platform/yielding.ts';
import { encodeBlock, withoutAccount } from './seen-block.ts';
import type { SeenStore } from './seen-store.ts';

/** Rows of one block: some seven kilobytes compressed, a few milliseconds to make or read. */
const rowsOfABlock = 1_000;
/** Blocks and rows that go in one statement. */
const removedAtOnce = 500;
/** Blocks that are asked for at a time. */
const blocksAtOnce = 500;
/** Names of all environments and days; beyond it the oldest days go first. */
const mostNames = 20_000_000;

/** Puts blocks in the place of the rows of days before this one, one at a time with requests in between. */
export async function sealDays(store: SeenStore, beforeDay: number, ended: AbortSignal): Promise<void> {
  for (const day of await store.openDays()) {
    if (day >= beforeDay) return;
    while (!ended.aborted && (await store.seal(day, rowsOfABlock, encodeBlock)) > 0) await yieldToEventLoop();
  }
}

/** Removes what was seen before a day, and the oldest days when there is too much. */
export async function pruneSeen(
  store: SeenStore,
  beforeDay: number,
  ended: AbortSignal,
  most = mostNames,
): Promise<void> {
  const firstDay = Math.max(beforeDay, await firstDayWithin(store, most));
  while (!ended.aborted && (await store.removeBefore(firstDay, removedAtOnce))) await yieldToEventLoop();
}

/** The first day from which on no more than so many names are sealed. */
async function firstDayWithin(store: SeenStore, most: number): Promise<number> {
  let names = 0;
  for (const { day, entries } of await store.sealedDays()) {
    names += entries;
    if (names > most) return day + 1;
  }
  return 0;
}

/** Removes everything an account saw. */
export async function removeSeenBy(store: SeenStore, accountId: string): Promise<void> {
  // Rows first: those that are sealed meanwhile are found in the blocks.
  await store.removeRows(accountId);
  for (let blocks = await store.blocks(0, blocksAtOnce); blocks.length > 0; ) {
    for (const { no } of blocks) await store.rewrite(no, (body) => withoutAccount(body, accountId));
    blocks = await store.blocks(blocks.at(-1)?.no ?? 0, blocksAtOnce);
  }
}
