import { rewriteBlock } from '../db/blocks.ts';
import { recordChange } from '../db/changes.ts';
import type { Db } from '../db/db.ts';
import { removeBefore } from '../db/remove-before.ts';
import type { Schema } from '../db/schema.ts';

/** The topic that announces a new block. */
export const trafficTopic = 'traffic';

/** The content of a block: observations to count, or erased subjects (`Erasable`). */
export type BlockKind = Schema['traffic_blocks']['kind'];

/** A block of observations. */
export interface TrafficBlock {
  readonly no: number;
  readonly kind: BlockKind;
  readonly body: Uint8Array;
}

/** Observations of all processes in the database, in compressed blocks. */
export interface TrafficStore {
  /** Returns the number of the new block. */
  add(process: string, kind: BlockKind, body: Uint8Array, nowMs: number): Promise<number>;
  /** The numbers of the next blocks of other processes, in order; fewer than `blocksPerPage` are the last. */
  after(no: number, process: string): Promise<number[]>;
  /** The number of the last block before a moment; 0 without one. */
  lastBefore(atMs: number): Promise<number>;
  /** The blocks with these numbers in their order, without removed and damaged ones. */
  read(numbers: readonly number[]): Promise<TrafficBlock[]>;
  /** See `rewriteBlock`. */
  rewrite(no: number, change: (body: Uint8Array) => { readonly body: Uint8Array } | null): Promise<boolean>;
  /** Removes blocks of observations before one moment, and of erasures before another. */
  prune(beforeMs: number, erasuresBeforeMs: number): Promise<void>;
}

/** A busy process writes a hundred thousand small blocks a day. */
export const blocksPerPage = 200;

export function createTrafficStore(db: Db): TrafficStore {
  return {
    add: (process, kind, body, nowMs) =>
      db.background.transaction(async (trx) => {
        const block = trx.insertInto('traffic_blocks').values({ process, kind, body, created_at: nowMs });
        const { no } = await block.returning('no').executeTakeFirstOrThrow();
        await recordChange(trx, trafficTopic, '', nowMs);
        return no;
      }),
    async after(no, process) {
      const rows = await db.read
        .selectFrom('traffic_blocks')
        .select('no')
        .where('no', '>', no)
        .where('process', '!=', process)
        .orderBy('no')
        .limit(blocksPerPage)
        .execute();
      return rows.map((row) => row.no);
    },
    async lastBefore(atMs) {
      const blocks = db.read.selectFrom('traffic_blocks').select('no').where('created_at', '<', atMs);
      return (await blocks.orderBy('created_at', 'desc').limit(1).executeTakeFirst())?.no ?? 0;
    },
    async read(numbers) {
      if (numbers.length === 0) return [];
      const blocks = db.read.selectFrom('traffic_blocks').select(['no', 'kind', 'body']);
      const found = await blocks.where('no', 'in', numbers).orderBy('no').execute();
      return found.filter(({ no, body }) => db.damagedBlocks.check({ table: 'traffic_blocks', name: no }, body));
    },
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
