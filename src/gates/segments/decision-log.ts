import type { HourCounts } from '../decisions/decision-counts.ts';
import type { PrunedLog } from '../decisions/decision-retention.ts';
import { type DecisionsStore, type EntryBatch, firstIdAt } from '../decisions/decisions-store.ts';
import { createEntryBatches } from './entry-batch.ts';
import { removeSealed, removeSealedBefore, removeSealedGate } from './removal.ts';
import { findSealed, listSealed } from './search.ts';
import { makeSegment } from './segment.ts';
import type { SegmentsStore } from './segments-store.ts';

/** The whole log: rows and sealed segments. */
export interface DecisionLog extends PrunedLog, Pick<DecisionsStore, 'find' | 'list' | 'listOf' | 'remove'> {
  /** An empty batch. */
  openBatch(): EntryBatch;
  /** Adds a batch of entries and counts, all or none; those of a removed gate are left out. */
  write(batch: EntryBatch, counts: readonly HourCounts[]): Promise<void>;
}

/** The fewest entries of a segment: with 100 an entry takes 27 bytes, with 500 it takes 26. */
const fewestSealed = 100;

/**
 * A large batch of entries is sealed immediately; smaller ones are written as rows. Every search reads rows before segments: an
 * entry that is sealed meanwhile is then found twice, not missed.
 */
export function createDecisionLog(store: DecisionsStore, segments: SegmentsStore, fewest = fewestSealed): DecisionLog {
  const listOf: DecisionsStore['listOf'] = async (gateIds, filter, limit) => {
    const found = await store.listOf(gateIds, filter, limit);
    return gateIds.length === 0 ? [] : listSealed(segments, { gateIds, filter, limit }, found);
  };
  return {
    ...store,
    openBatch: createEntryBatches(),
    async write(batch, counts) {
      const addSealed = batch.length < fewest ? undefined : segments.adding(makeSegment(batch));
      await store.write(batch, counts, addSealed);
    },
    find: async (gateId, id) => (await store.find(gateId, id)) ?? findSealed(segments, gateId, id),
    list: (gateId, filter, limit) => listOf([gateId], filter, limit),
    listOf,
    async remove(gateId, ids) {
      await store.remove(gateId, ids);
      await removeSealed(segments, gateId, ids);
    },
    pruneSealed: (beforeMs) => removeSealedBefore(segments, firstIdAt(beforeMs)),
    async pruneRemoved(limit) {
      const gateId = await store.removedGate();
      if (gateId === null) return 0;
      if ((await store.pruneGate(gateId, limit)) === limit) return limit;
      await removeSealedGate(segments, gateId);
      await store.forgetGate(gateId);
      return 1;
    },
  };
}
