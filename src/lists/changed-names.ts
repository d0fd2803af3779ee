import { createHash, type Hash } from 'node:crypto';
import type { YieldWhenDue } from '../platform/yielding.ts';
import type { ListState } from './list-state.ts';
import { Flag } from './snapshot/flags.ts';
import { entryName, type ListTable } from './snapshot/list-table.ts';

/** The flags that can change whether a name is disposable, a relay or spam. */
const decisive =
  Flag.strong |
  Flag.weak |
  Flag.public |
  Flag.relay |
  Flag.relaySubdomains |
  Flag.boundary |
  Flag.spam |
  Flag.allow |
  Flag.trusted |
  Flag.overrule;

/** Yields the event loop after this many entries. */
const entriesPerTurn = 2_000;
const bytesPerUpdate = 1_000_000;

/** The names whose entries were added, removed or changed their flags since an earlier state. */
export async function changedNames(
  earlier: ListState,
  now: ListState,
  yieldWhenDue: YieldWhenDue,
): Promise<Set<string>> {
  const changed = new Set<string>();
  await addChanges(changed, earlier.snapshot.table, now.snapshot.table, yieldWhenDue);
  await addChanges(changed, earlier.operator.table, now.operator.table, yieldWhenDue);
  return changed;
}

/** Both tables are sorted by name, so one pass over both finds the differences. */
async function addChanges(
  into: Set<string>,
  before: ListTable,
  after: ListTable,
  yieldWhenDue: YieldWhenDue,
): Promise<void> {
  if (before === after) return;
  let old = 0;
  let fresh = 0;
  for (let step = 1; old < before.flags.length || fresh < after.flags.length; step += 1) {
    const order = compareEntries(before, old, after, fresh);
    const was = order <= 0 ? (before.flags[old] as number) & decisive : 0;
    const is = order >= 0 ? (after.flags[fresh] as number) & decisive : 0;
    if (was !== is) into.add(order <= 0 ? entryName(before, old) : entryName(after, fresh));
    if (order <= 0) old += 1;
    if (order >= 0) fresh += 1;
    if (step % entriesPerTurn === 0) await yieldWhenDue();
  }
}

/** Orders two entries by name; one past the end of its table comes last. */
function compareEntries(one: ListTable, oneEntry: number, other: ListTable, otherEntry: number): number {
  if (oneEntry >= one.flags.length) return 1;
  if (otherEntry >= other.flags.length) return -1;
  const oneEnd = one.nameStarts[oneEntry + 1] as number;
  const otherEnd = other.nameStarts[otherEntry + 1] as number;
  let at = one.nameStarts[oneEntry] as number;
  let otherAt = other.nameStarts[otherEntry] as number;
  for (; at < oneEnd && otherAt < otherEnd; at += 1, otherAt += 1) {
    const difference = (one.names[at] as number) - (other.names[otherAt] as number);
    if (difference !== 0) return difference;
  }
  return oneEnd - at - (otherEnd - otherAt);
}

/** A digest of everything the lists say about names; equal lists have equal digests. */
export async function listsDigest({ snapshot, operator }: ListState, yieldWhenDue: YieldWhenDue): Promise<string> {
  const hash = createHash('sha256');
  for (const table of [snapshot.table, operator.table]) {
    for (const array of [table.names, table.nameStarts, table.flags]) await update(hash, array, yieldWhenDue);
  }
  return hash.digest('hex');
}

async function update(hash: Hash, array: Uint8Array | Uint32Array, yieldWhenDue: YieldWhenDue): Promise<void> {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  for (let start = 0; start < bytes.length; start += bytesPerUpdate) {
    hash.update(bytes.subarray(start, start + bytesPerUpdate));
    await yieldWhenDue();
  }
}
