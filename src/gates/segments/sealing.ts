import { idle } from '../../platform/jobs.ts';
import { createYielder, yieldToEventLoop } from '../../platform/yielding.ts';
import { fullBatch, toLogged } from '../decisions/decisions-store.ts';
import { batchOf } from './entry-batch.ts';
import { makeSegment } from './segment.ts';
import type { SegmentsStore } from './segments-store.ts';
import { encodePostings, partOf, partsOfBucket, posting, termAt, termCount } from './terms.ts';

/** Entries of one segment, and segments of one bucket. */
export interface SealSizes {
  readonly rows: number;
  readonly segments: number;
}

const usualSizes: SealSizes = { rows: fullBatch, segments: 32 };

/** The part of the store that sealing uses. */
export type SealStore = Pick<SegmentsStore, 'unsealed' | 'seal' | 'singles' | 'merge'>;

/** Seals full segments and merges full buckets, one at a time with requests in between, until none is left or `ended` aborts. Resolves to `idle` if there was none. */
export async function sealDecisions(store: SealStore, ended: AbortSignal, sizes = usualSizes): Promise<unknown> {
  let work = 0;
  for (; !ended.aborted && (await sealOne(store, sizes.rows)); work += 1) await yieldToEventLoop();
  for (; !ended.aborted && (await mergeOne(store, sizes.segments)); work += 1) await yieldToEventLoop();
  return work === 0 ? idle : undefined;
}

async function sealOne(store: SealStore, size: number): Promise<boolean> {
  const rows = await store.unsealed(size);
  if (rows.length === 0) return false;
  return store.seal(rows, makeSegment(batchOf(rows.map(toLogged))));
}

async function mergeOne(store: SealStore, size: number): Promise<boolean> {
  const singles = await store.singles(size);
  const first = singles[0]?.bucket;
  if (singles.length < size || first === undefined) return false;
  const parts = await mergeTerms(singles.map(({ bucket, terms }) => ({ offset: bucket - first, terms })));
  const merged = parts.map((terms, part) => ({ bucket: first, part, terms }));
  const firstId = singles.map((single) => single.first_id).sort()[0] ?? '';
  const lastId =
    singles
      .map((single) => single.last_id)
      .sort()
      .at(-1) ?? '';
  const buckets = singles.map(({ bucket }) => bucket);
  return store.merge(buckets, { bucket: first, merged: 1, first_id: firstId, last_id: lastId }, merged);
}

/** The terms of one segment, and its distance from the first of the bucket. */
interface SingleTerms {
  readonly offset: number;
  readonly terms: Uint8Array;
}

/** The terms of segments as the parts of one bucket. One typed array holds them all: lists of numbers would cost garbage collection. */
async function mergeTerms(singles: readonly SingleTerms[]): Promise<Uint8Array[]> {
  const yieldWhenDue = createYielder();
  const begins = new Uint32Array(partsOfBucket + 1);
  for (const { terms } of singles) {
    for (let index = 0; index < termCount(terms); index += 1) {
      const after = partOf(termAt(terms, index)) + 1;
      begins[after] = (begins[after] ?? 0) + 1;
    }
    await yieldWhenDue();
  }
  for (let part = 0; part < partsOfBucket; part += 1) begins[part + 1] = (begins[part + 1] ?? 0) + (begins[part] ?? 0);
  const postings = new Float64Array(begins[partsOfBucket] ?? 0);
  const ends = begins.slice(0, partsOfBucket);
  for (const { offset, terms } of singles) {
    for (let index = 0; index < termCount(terms); index += 1) {
      const hash = termAt(terms, index);
      const part = partOf(hash);
      const place = ends[part] ?? 0;
      postings[place] = posting(hash, offset);
      ends[part] = place + 1;
    }
    await yieldWhenDue();
  }
  const parts: Uint8Array[] = [];
  for (let part = 0; part < partsOfBucket; part += 1) {
    parts.push(encodePostings(postings.subarray(begins[part], ends[part]).sort()));
    await yieldWhenDue();
  }
  return parts;
}
