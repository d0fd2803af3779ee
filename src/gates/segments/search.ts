import { yieldToEventLoop } from '../../platform/yielding.ts';
import type { LogFilter, LoggedRow } from '../decisions/decisions-store.ts';
import type { OutcomeFilter } from '../decisions/outcome.ts';
import type { OutcomesStore } from '../decisions/outcomes-store.ts';
import { idSpan, matches } from './log-filter.ts';
import { decodeSegment } from './segment-codec.ts';
import type { Bucket, Candidate, IdSpan, SegmentsStore } from './segments-store.ts';
import { offsetsOf, partOf, termsWanted, wholePart } from './terms.ts';

/** Buckets in one query: few at first, as most searches end among the newest, and more for rare entries. */
const firstBuckets = 4;
const maxBuckets = 64;

/** Some candidates, and the number of the last bucket that was read for them. */
export interface CandidateGroup {
  readonly candidates: readonly Candidate[];
  readonly bucket: number;
}

/** The newest entries that match a filter, `limit` at most, newest first, of those already `found` and the sealed ones. */
export async function listSealed(
  store: SegmentsStore,
  query: {
    readonly gateIds: readonly string[];
    readonly filter: LogFilter;
    readonly limit: number;
    /** A damaged segment, which may hold matching entries, was skipped. */
    readonly onMissing?: (() => void) | undefined;
  },
  outcomes: Pick<OutcomesStore, 'ids'>,
  found: readonly LoggedRow[],
): Promise<LoggedRow[]> {
  const { gateIds, filter, limit, onMissing } = query;
  const span = idSpan(filter);
  const newest = createNewest(limit, found);
  const mayHold = idsWithin(filter.ids);
  const byOutcome = createOutcomeCheck(outcomes, gateIds, filter.outcome);
  for await (const { candidates, bucket } of findCandidates(store, gateIds, filter, span)) {
    for (const candidate of candidates.toSorted((one, other) => (one.lastId < other.lastId ? 1 : -1))) {
      if (newest.isFullBefore(candidate.lastId)) break;
      if (!mayHold(candidate)) continue;
      const hasOutcome = await byOutcome(candidate);
      if (hasOutcome === null) continue;
      const rows = await readSegment(store, candidate.no);
      if (store.isDamaged(candidate.no)) onMissing?.();
      newest.add(rows.filter((row) => hasOutcome(row.id) && matches(row, gateIds, filter, span)));
      // A search for rare entries reads many segments and yields to requests in between.
      await yieldToEventLoop();
    }
    if (newest.isFullBefore(await store.newestBelow(bucket))) break;
  }
  return newest.rows();
}

/** Segments that a count reads at most: a hundred thousand entries. */
const maxCountedSegments = 100;

/** How many entries match a filter, of the ids `found` and the sealed ones: at most `max`. Not complete when it stopped before the end. */
export async function countSealed(
  store: SegmentsStore,
  query: { readonly gateIds: readonly string[]; readonly filter: LogFilter; readonly max: number },
  outcomes: Pick<OutcomesStore, 'ids'>,
  found: ReadonlySet<string>,
): Promise<{ readonly count: number; readonly complete: boolean }> {
  const { gateIds, filter, max } = query;
  const span = idSpan(filter);
  const byOutcome = createOutcomeCheck(outcomes, gateIds, filter.outcome);
  const ids = new Set(found);
  let segments = 0;
  let isMissing = false;
  for await (const { candidates } of findCandidates(store, gateIds, filter, span)) {
    for (const candidate of candidates.toSorted((one, other) => (one.lastId < other.lastId ? 1 : -1))) {
      if (ids.size > max || segments === maxCountedSegments) break;
      segments += 1;
      const hasOutcome = await byOutcome(candidate);
      if (hasOutcome === null) continue;
      for (const row of await readSegment(store, candidate.no)) {
        if (hasOutcome(row.id) && matches(row, gateIds, filter, span)) ids.add(row.id);
      }
      isMissing ||= store.isDamaged(candidate.no);
      await yieldToEventLoop();
    }
    if (ids.size > max || segments === maxCountedSegments) return { count: Math.min(ids.size, max), complete: false };
  }
  return { count: Math.min(ids.size, max), complete: ids.size <= max && !isMissing };
}

/** Whether a segment may contain one of the given entries; always true without any. */
function idsWithin(ids: ReadonlySet<string> | undefined): (segment: Candidate) => boolean {
  if (ids === undefined) return () => true;
  const sorted = [...ids].sort();
  return ({ firstId, lastId }) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] ?? '') < firstId) low = middle + 1;
      else high = middle;
    }
    return (sorted[low] ?? '~') <= lastId;
  };
}

/** One entry; null when it is not sealed. */
export async function findSealed(store: SegmentsStore, gateId: string, id: string): Promise<LoggedRow | null> {
  for await (const { candidates } of findCandidates(store, [gateId], {}, { from: id, before: `${id}0` })) {
    for (const { no } of candidates) {
      const row = (await readSegment(store, no)).find((one) => one.id === id && one.gateId === gateId);
      if (row !== undefined) return row;
    }
  }
  return null;
}

/**
 * The segments that may hold matching entries, from the newest bucket to the oldest. A merged bucket has the number of its first
 * segment, so one that is merged meanwhile is still to come if any of its segments is.
 */
export async function* findCandidates(
  store: SegmentsStore,
  gateIds: readonly string[],
  filter: LogFilter,
  span: IdSpan,
): AsyncGenerator<CandidateGroup> {
  const wanted = termsWanted(gateIds, filter);
  const parts = [wholePart, ...new Set(wanted.flat().map(partOf))];
  let below = Number.MAX_SAFE_INTEGER;
  for (let atOnce = firstBuckets; ; atOnce = Math.min(4 * atOnce, maxBuckets)) {
    const buckets = await store.buckets(parts, below, span, atOnce);
    const last = buckets.at(-1);
    if (last === undefined) return;
    below = last.bucket;
    const numbers = buckets.flatMap((bucket) => segmentsWith(bucket, wanted));
    yield { candidates: await store.candidates(numbers, span), bucket: below };
  }
}

/** The segments of a bucket with at least one term of each list. */
function segmentsWith({ bucket, parts }: Bucket, wanted: readonly number[][]): number[] {
  const whole = parts.get(wholePart);
  const having = (hash: number) => offsetsOf(whole ?? parts.get(partOf(hash)) ?? new Uint8Array(), hash);
  const sets = wanted.map((anyOf) => new Set(anyOf.flatMap(having)));
  const offsets = sets.reduce((all, some) => all.intersection(some));
  return [...offsets].map((offset) => bucket + offset);
}

async function readSegment(store: SegmentsStore, no: number): Promise<LoggedRow[]> {
  const body = await store.body(no);
  return body === null ? [] : decodeSegment(body);
}

/** The newest of all added entries, each id once: one may be both a row and in a segment for a moment. */
function createNewest(limit: number, found: readonly LoggedRow[]) {
  const byId = new Map(found.map((row) => [row.id, row]));
  let sorted: LoggedRow[] | null = null;
  const rows = (): LoggedRow[] => {
    sorted ??= [...byId.values()].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit);
    return sorted;
  };
  return {
    rows,
    add(more: readonly LoggedRow[]) {
      for (const row of more) byId.set(row.id, row);
      if (more.length > 0) sorted = null;
    },
    /** Whether no entry up to this id can be among the newest. */
    isFullBefore(id: string): boolean {
      const last = rows()[limit - 1];
      return last !== undefined && last.id >= id;
    },
  };
}

/** Which entries of a segment have the outcome that is searched for; null when none has. */
type OutcomeCheck = (segment: Candidate) => Promise<((id: string) => boolean) | null>;

/** Ids read ahead for the segments that come next: one query is enough for a log with few outcomes. */
const idsAtOnce = 2_000;

/** Checks segments from the newest to the oldest against the outcomes beside the log. */
function createOutcomeCheck(
  store: Pick<OutcomesStore, 'ids'>,
  gateIds: readonly string[],
  filter: OutcomeFilter | undefined,
): OutcomeCheck {
  if (filter === undefined) return async () => () => true;
  const outcome = filter === 'none' ? null : filter;
  /** The ids that were read, and the span in which they are complete. */
  let known = { ids: [] as string[], from: '~', to: '' };
  const read = async (from: string, to: string, limit: number) => {
    const pages = [];
    for (const gateId of gateIds) pages.push(await store.ids(gateId, outcome, { from, before: `${to}0` }, limit));
    const unread = pages.map((page) => (page.length === limit ? (page.at(-1) ?? '') : from));
    return { ids: pages.flat(), from: unread.reduce((one, other) => (one > other ? one : other), from), to };
  };
  return async ({ firstId, lastId }) => {
    if (lastId > known.to || firstId < known.from) {
      known = await read('', lastId, idsAtOnce);
      if (firstId < known.from) known = await read(firstId, lastId, Number.MAX_SAFE_INTEGER);
    }
    const within = new Set(known.ids.filter((id) => id >= firstId && id <= lastId));
    if (outcome === null) return (id) => !within.has(id);
    return within.size === 0 ? null : (id) => within.has(id);
  };
}
