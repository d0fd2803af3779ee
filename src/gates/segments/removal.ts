import { keepRows } from '../../platform/block-codec.ts';
import { yieldToEventLoop } from '../../platform/yielding.ts';
import type { LoggedRow } from '../decisions/decisions-store.ts';
import { idSpan } from './log-filter.ts';
import { findCandidates } from './search.ts';
import { decodeSegment, encodeSegment } from './segment-codec.ts';
import type { SegmentsStore } from './segments-store.ts';

/** Segments removed in one transaction; requests are served in between. */
const segmentsPerStep = 5;

/** Removes entries before an id: some whole segments, or else the old part of one; whether there may be more. */
export async function removeSealedBefore(store: SegmentsStore, id: string): Promise<boolean> {
  if (await store.removeBefore(id, segmentsPerStep)) return true;
  const cut = await store.startingBefore(id);
  if (cut === null) return false;
  // A damaged segment is removed when its last entry expires.
  return rewrite(store, cut, (row) => row.id >= id);
}

/** Removes entries of a gate by their ids. */
export async function removeSealed(store: SegmentsStore, gateId: string, ids: readonly string[]): Promise<void> {
  const sorted = [...new Set(ids)].sort();
  const span = { from: sorted[0] ?? '', before: `${sorted.at(-1) ?? ''}0` };
  for await (const { candidates } of findCandidates(store, [gateId], {}, span)) {
    for (const { no, firstId, lastId } of candidates) {
      if (!sorted.some((id) => id >= firstId && id <= lastId)) continue;
      await rewrite(store, no, (row) => row.gateId !== gateId || !sorted.includes(row.id));
      await yieldToEventLoop();
    }
  }
}

/** Removes a gate's entries. */
export async function removeSealedGate(store: SegmentsStore, gateId: string): Promise<void> {
  for await (const { candidates } of findCandidates(store, [gateId], {}, idSpan({}))) {
    for (const { no } of candidates) {
      await rewrite(store, no, (row) => row.gateId !== gateId);
      await yieldToEventLoop();
    }
  }
}

function rewrite(store: SegmentsStore, no: number, isKept: (row: LoggedRow) => boolean): Promise<boolean> {
  return store.rewrite(no, (body) => keepRows(decodeSegment(body), isKept, encodeSegment));
}
