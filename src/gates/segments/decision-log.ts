import { firstIdAt } from '../../ulid.ts';
import type { HourCounts } from '../decisions/decision-counts.ts';
import type { PrunedLog } from '../decisions/decision-retention.ts';
import type { CountEntries, DecisionsStore, EntryBatch, ListEntries } from '../decisions/decisions-store.ts';
import type { OutcomesStore } from '../decisions/outcomes-store.ts';
import { createEntryBatches } from './entry-batch.ts';
import { idSpan, matches, needsEntries } from './log-filter.ts';
import { removeSealed, removeSealedBefore, removeSealedGate } from './removal.ts';
import { countSealed, findSealed, listSealed } from './search.ts';
import { makeSegment } from './segment.ts';
import type { SegmentsStore } from './segments-store.ts';

/** The whole log: rows and sealed segments. */
export interface DecisionLog extends PrunedLog, Pick<DecisionsStore, 'find' | 'list' | 'remove'> {
  readonly listOf: ListEntries;
  readonly countOf: CountEntries;
  /** An empty batch. */
  openBatch(): EntryBatch;
  /** Adds a batch of entries and counts, all or none; those of a removed gate are left out. */
  write(batch: EntryBatch, counts: readonly HourCounts[]): Promise<void>;
}

/** The fewest entries of a segment: with 100 an entry takes 27 bytes, with 500 it takes 26. */
const minSealed = 100;

/**
 * A large batch of entries is sealed immediately; smaller ones are written as rows. Every search reads rows before segments: an
 * entry that is sealed meanwhile is then found twice, not missed.
 */
export function createDecisionLog(
  store: DecisionsStore,
  segments: SegmentsStore,
  outcomes: OutcomesStore,
  fewest = minSealed,
): DecisionLog {
  /** Rows that no column of the table finds are few: they are sealed continually. */
  const listRows: DecisionsStore['listOf'] = async (gateIds, filter, limit) => {
    if (!needsEntries(filter)) return store.listOf(gateIds, filter, limit);
    const rows = await store.listOf(gateIds, filter, Number.MAX_SAFE_INTEGER);
    return rows.filter((row) => matches(row, gateIds, filter, idSpan(filter))).slice(0, limit);
  };
  const listOf: DecisionLog['listOf'] = async (gateIds, filter, limit, onMissing) => {
    if (gateIds.length === 0) return [];
    const found = await listRows(gateIds, filter, limit);
    return outcomes.attach(await listSealed(segments, { gateIds, filter, limit, onMissing }, outcomes, found));
  };
  return {
    ...store,
    openBatch: createEntryBatches(),
    async write(batch, counts) {
      const addSealed = batch.length < fewest ? undefined : segments.adding(makeSegment(batch));
      await store.write(batch, counts, addSealed);
    },
    async find(gateId, id) {
      const row = (await store.find(gateId, id)) ?? (await findSealed(segments, gateId, id));
      return row === null ? null : ((await outcomes.attach([row]))[0] ?? null);
    },
    list: (gateId, filter, limit) => listOf([gateId], filter, limit),
    listOf,
    async countOf(gateIds, filter, max) {
      if (gateIds.length === 0) return { count: 0, complete: true };
      const rows = await listRows(gateIds, filter, max + 1);
      return countSealed(segments, { gateIds, filter, max }, outcomes, new Set(rows.map(({ id }) => id)));
    },
    async remove(gateId, ids) {
      await store.remove(gateId, ids);
      await removeSealed(segments, gateId, ids);
      await outcomes.remove(gateId, ids);
    },
    async prune(gateId, beforeMs, limit) {
      const [rows, reported] = [
        await store.prune(gateId, beforeMs, limit),
        await outcomes.prune(gateId, firstIdAt(beforeMs), limit),
      ];
      return Math.max(rows, reported);
    },
    pruneSealed: (beforeMs) => removeSealedBefore(segments, firstIdAt(beforeMs)),
    async pruneRemoved(limit) {
      const gateId = await store.removedGate();
      if (gateId === null) return 0;
      if ((await store.pruneGate(gateId, limit)) === limit) return limit;
      if ((await outcomes.prune(gateId, null, limit)) === limit) return limit;
      await removeSealedGate(segments, gateId);
      await store.forgetGate(gateId);
      return 1;
    },
  };
}
