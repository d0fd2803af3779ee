import { sql, type Transaction } from 'kysely';
import { readBody, rewriteBlock } from '../../db/blocks.ts';
import type { Db } from '../../db/db.ts';
import { type RowsParameter, rowsParameter } from '../../db/rows.ts';
import type { Schema } from '../../db/schema.ts';
import type { DecisionBucketsTable, DecisionsTable, DecisionTermsTable } from '../../db/tables/gate-tables.ts';
import { chunksOf } from '../../platform/chunks-of.ts';
import type { AddSealed } from '../decisions/decisions-store.ts';
import type { NewSegment } from './segment.ts';

/** Ids from one on, and before another. */
export interface IdSpan {
  readonly from: string;
  readonly before: string;
}

/** A segment that may hold matching entries. */
export interface Candidate {
  readonly no: number;
  readonly firstId: string;
  readonly lastId: string;
}

/** A segment to write. */
export type SegmentParts = Omit<Schema['decision_segments'], 'no'>;

/** A bucket and the requested parts of its terms. */
export interface Bucket {
  readonly bucket: number;
  readonly parts: ReadonlyMap<number, Uint8Array>;
}

/** The segments of the log in the database, and the terms that find them. */
export interface SegmentsStore {
  /** The oldest `limit` entries that no segment holds; none when there are fewer. */
  unsealed(limit: number): Promise<DecisionsTable[]>;
  /** Replaces rows by a segment; false, with nothing changed, when another process removed some of the rows. */
  seal(rows: readonly DecisionsTable[], segment: NewSegment): Promise<boolean>;
  /** Adds a segment of entries that were never rows, unless it exists. */
  adding(segment: NewSegment): AddSealed;
  /** The first buckets that are not merged, with their terms. */
  singles(limit: number): Promise<(DecisionBucketsTable & DecisionTermsTable)[]>;
  /** Replaces several buckets by one; false, with nothing changed, when another process removed some of them. */
  merge(from: readonly number[], into: DecisionBucketsTable, terms: readonly DecisionTermsTable[]): Promise<boolean>;
  /** The last buckets before one that overlap a span, each with these parts of its terms, last first. */
  buckets(parts: readonly number[], below: number, span: IdSpan, limit: number): Promise<Bucket[]>;
  /** The segments of these numbers that overlap a span. */
  candidates(numbers: readonly number[], span: IdSpan): Promise<Candidate[]>;
  /** The newest id that a bucket before this one can hold. */
  newestBelow(bucket: number): Promise<string>;
  body(no: number): Promise<Uint8Array | null>;
  /** Whether `body` returned null because the segment is damaged. */
  isDamaged(no: number): boolean;
  /** See `rewriteBlock`. */
  rewrite(no: number, change: (body: Uint8Array) => SegmentParts | 'empty' | null): Promise<boolean>;
  /** Removes up to `limit` segments, and buckets, that end before an id; whether there were any. */
  removeBefore(id: string, limit: number): Promise<boolean>;
  /** A segment that starts before an id. */
  startingBefore(id: string): Promise<number | null>;
}

export function createSegmentsStore(db: Db): SegmentsStore {
  const keys = rowsParameter(db, { gate_id: 'text', id: 'text' });
  return {
    async unsealed(limit) {
      if (!(await hasRows(db, limit))) return [];
      return db.read.selectFrom('decisions').selectAll().orderBy('id').limit(limit).execute();
    },
    seal: (rows, segment) =>
      unlessOvertaken(db, async (trx) => {
        if ((await removeRows(trx, keys, rows)) !== rows.length) throw new Overtaken();
        await addSegment(trx, segment);
      }),
    adding: (segment) => async (trx) => {
      // A commit is retried when its response was lost.
      if (!(await hasSegment(trx, segment))) await addSegment(trx, segment);
    },
    singles: (limit) =>
      db.read
        .selectFrom('decision_buckets')
        .innerJoin('decision_terms', 'decision_terms.bucket', 'decision_buckets.bucket')
        .select(['decision_buckets.bucket', 'merged', 'first_id', 'last_id', 'part', 'terms'])
        .where('merged', '=', 0)
        .orderBy('decision_buckets.bucket')
        .limit(limit)
        .execute(),
    merge: (from, into, terms) =>
      unlessOvertaken(db, async (trx) => {
        const gone = trx.deleteFrom('decision_buckets').where('bucket', 'in', from).where('merged', '=', 0);
        if (Number((await gone.executeTakeFirst()).numDeletedRows) !== from.length) throw new Overtaken();
        await trx.deleteFrom('decision_terms').where('bucket', 'in', from).execute();
        await trx.insertInto('decision_buckets').values(into).execute();
        await trx.insertInto('decision_terms').values(terms).execute();
      }),
    buckets: (parts, below, span, limit) => readBuckets(db, parts, below, span, limit),
    async candidates(numbers, span) {
      const query = db.read.selectFrom('decision_segments').select(['no', 'first_id as firstId', 'last_id as lastId']);
      const found: Candidate[] = [];
      for (const batch of chunksOf(numbers, segmentsPerQuery)) {
        const some = query.where('no', 'in', batch);
        found.push(...(await some.where('last_id', '>=', span.from).where('first_id', '<', span.before).execute()));
      }
      return found;
    },
    async newestBelow(bucket) {
      const query = db.read.selectFrom('decision_buckets').where('bucket', '<', bucket);
      const row = await query.select(({ fn }) => fn.max('last_id').as('newest')).executeTakeFirst();
      return row?.newest ?? '';
    },
    body: (no) => readBody(db, 'decision_segments', no),
    isDamaged: (no) => db.damagedBlocks.has({ table: 'decision_segments', name: no }),
    rewrite: (no, change) => rewriteBlock(db, 'decision_segments', no, change),
    removeBefore: (id, limit) => removeBefore(db, id, limit),
    async startingBefore(id) {
      const query = db.read.selectFrom('decision_segments').select('no').where('first_id', '<', id).limit(1);
      return (await query.executeTakeFirst())?.no ?? null;
    },
  };
}

const segmentsPerQuery = 500;

async function hasRows(db: Db, count: number): Promise<boolean> {
  const query = db.read.selectFrom('decisions').select('id').orderBy('id').limit(1);
  return (await query.offset(count - 1).executeTakeFirst()) !== undefined;
}

/** Another process removed or sealed some of the same rows meanwhile. */
class Overtaken extends Error {}

/** Runs a change that is rolled back when another process was first; whether it was made. */
async function unlessOvertaken(db: Db, work: (trx: Transaction<Schema>) => Promise<void>): Promise<boolean> {
  try {
    await db.background.transaction(work);
    return true;
  } catch (error) {
    if (error instanceof Overtaken) return false;
    throw error;
  }
}

async function hasSegment(trx: Transaction<Schema>, { first_id, last_id }: NewSegment): Promise<boolean> {
  const query = trx.selectFrom('decision_segments').select('no');
  const same = query.where('first_id', '=', first_id).where('last_id', '=', last_id);
  return (await same.limit(1).executeTakeFirst()) !== undefined;
}

async function addSegment(trx: Transaction<Schema>, { terms, body, ...span }: NewSegment): Promise<void> {
  const added = trx.insertInto('decision_segments').values({ ...span, body });
  const { no } = await added.returning('no').executeTakeFirstOrThrow();
  await trx
    .insertInto('decision_buckets')
    .values({ bucket: no, merged: 0, ...span })
    .execute();
  await trx.insertInto('decision_terms').values({ bucket: no, part: -1, terms }).execute();
}

async function removeRows(
  trx: Transaction<Schema>,
  keys: RowsParameter<{ gate_id: 'text'; id: 'text' }>,
  rows: readonly DecisionsTable[],
): Promise<number> {
  const removed = await sql`delete from decisions
    where (gate_id, id) in (select gate_id, id from ${keys.table(rows)} sealed)`.execute(trx);
  return Number(removed.numAffectedRows ?? 0);
}

/** In one statement, so that no merge happens between reading a bucket and its terms. */
async function readBuckets(
  db: Db,
  parts: readonly number[],
  below: number,
  span: IdSpan,
  limit: number,
): Promise<Bucket[]> {
  const chosen = db.read
    .selectFrom('decision_buckets')
    .select('bucket')
    .where('bucket', '<', below)
    .where('last_id', '>=', span.from)
    .where('first_id', '<', span.before)
    .orderBy('bucket', 'desc')
    .limit(limit)
    .as('chosen');
  const rows = await db.read
    .selectFrom(chosen)
    .innerJoin('decision_terms', 'decision_terms.bucket', 'chosen.bucket')
    .select(['chosen.bucket', 'part', 'terms'])
    .where('part', 'in', parts)
    .execute();
  const byBucket = Map.groupBy(rows, ({ bucket }) => bucket);
  return [...byBucket.keys()]
    .sort((one, other) => other - one)
    .map((bucket) => ({
      bucket,
      parts: new Map(byBucket.get(bucket)?.map(({ part, terms }) => [part, terms])),
    }));
}

/** A bucket's terms are about a megabyte, which SQLite overwrites: removing twenty blocked requests for 100 ms. */
const bucketsPerStep = 1;

async function removeBefore(db: Db, id: string, limit: number): Promise<boolean> {
  const old = db.read.selectFrom('decision_segments').select('no').where('last_id', '<', id).limit(limit);
  const numbers = (await old.execute()).map(({ no }) => no);
  const emptied = db.read
    .selectFrom('decision_buckets')
    .select('bucket')
    .where('last_id', '<', id)
    .limit(bucketsPerStep);
  const buckets = (await emptied.execute()).map(({ bucket }) => bucket);
  if (numbers.length + buckets.length === 0) return false;
  await db.background.transaction(async (trx) => {
    if (numbers.length > 0) await trx.deleteFrom('decision_segments').where('no', 'in', numbers).execute();
    if (buckets.length === 0) return;
    // A bucket that was merged with newer ones meanwhile stays.
    const gone = trx.deleteFrom('decision_buckets').where('bucket', 'in', buckets).where('last_id', '<', id);
    const removed = (await gone.returning('bucket').execute()).map(({ bucket }) => bucket);
    if (removed.length > 0) await trx.deleteFrom('decision_terms').where('bucket', 'in', removed).execute();
  });
  // Otherwise SQLite's log grows until SQLite checkpoints it in the middle of a commit.
  await db.fsync();
  return true;
}
