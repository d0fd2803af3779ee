import { readBody, rewriteBlock } from '../db/blocks.ts';
import type { Db } from '../db/db.ts';
import { removeBefore } from '../db/remove-before.ts';
import type { Schema } from '../db/schema.ts';

/** What a block holds: observations to count, or what was erased: see `Erasable`. */
export type BlockKind = Schema['traffic_blocks']['kind'];

/** A block without its observations. */
export interface BlockHead {
  readonly no: number;
  readonly kind: BlockKind;
  readonly createdAtMs: number;
}

/** Observations of all processes in the database, in compressed blocks. */
export interface TrafficStore {
  add(process: string, kind: BlockKind, body: Uint8Array, nowMs: number): Promise<void>;
  /** The blocks of other processes after a number, in the order of their numbers. */
  after(no: number, process: string): Promise<BlockHead[]>;
  /** Null when the block was removed. */
  body(no: number): Promise<Uint8Array | null>;
  /** See `rewriteBlock`. */
  rewrite(no: number, change: (body: Uint8Array) => { readonly body: Uint8Array } | null): Promise<void>;
  /** Removes blocks of observations before one moment, and of erasures before another. */
  prune(beforeMs: number, erasuresBeforeMs: number): Promise<void>;
}

export function createTrafficStore(db: Db): TrafficStore {
  return {
    async add(process, kind, body, nowMs) {
      await db.background.write
        .insertInto('traffic_blocks')
        .values({ process, kind, body, created_at: nowMs })
        .execute();
    },
    async after(no, process) {
      const rows = await db.read
        .selectFrom('traffic_blocks')
        .select(['no', 'kind', 'created_at'])
        .where('no', '>', no)
        .where('process', '!=', process)
        .orderBy('no')
        .execute();
      return rows.map(({ no: number, kind, created_at }) => ({ no: number, kind, createdAtMs: created_at }));
    },
    body: (no) => readBody(db, 'traffic_blocks', no),
    rewrite: (no, change) => rewriteBlock(db, 'traffic_blocks', no, change),
    async prune(beforeMs, erasuresBeforeMs) {
      await removeBefore(db, 'traffic_blocks', 'created_at', beforeMs);
      await db.background.write
        .deleteFrom('traffic_blocks')
        .where('kind', '!=', 'counts')
        .where('created_at', '<', erasuresBeforeMs)
        .execute();
    },
  };
}
