import type { Transaction } from 'kysely';
import { recordChange } from '../../db/changes.ts';
import type { Db } from '../../db/db.ts';
import type { Schema } from '../../db/schema.ts';

/** The topic that announces a new edition of a shared file; the scope is the file's name. */
export const sharedFilesTopic = 'shared-files';

/** A file that all instances download. */
export interface SharedFile {
  /** Its path below the data directory, or `snapshot ` and a fingerprint. */
  readonly name: string;
  readonly sha256: string;
  readonly size: number;
  readonly modifiedAtMs: number;
  /** The refresh state of the edition, as JSON. */
  readonly state: string | null;
}

/** Shared files in the database, in parts. */
export interface SharedFilesStore {
  /** The files whose names begin with `prefix`. */
  list(prefix: string): Promise<SharedFile[]>;
  find(name: string): Promise<SharedFile | null>;
  part(sha256: string, part: number): Promise<Uint8Array | null>;
  addPart(sha256: string, part: number, bytes: Uint8Array, nowMs: number): Promise<void>;
  /** Makes the file with these parts the current edition, and announces it. */
  publish(file: SharedFile, nowMs: number): Promise<void>;
  /** Removes all but the newest files whose names begin with `prefix`, and parts that belong to no file. */
  prune(prefix: string, keep: number, nowMs: number): Promise<void>;
}

/** Parts without a file may belong to an upload in progress. */
const partsWaitMs = 3_600_000;

export function createSharedFilesStore(db: Db): SharedFilesStore {
  const columns = ['name', 'sha256', 'size', 'modified_at as modifiedAtMs', 'state'] as const;
  return {
    list: (prefix) => db.read.selectFrom('shared_files').select(columns).where('name', 'like', `${prefix}%`).execute(),
    async find(name) {
      const row = await db.read.selectFrom('shared_files').select(columns).where('name', '=', name).executeTakeFirst();
      return row ?? null;
    },
    async part(sha256, part) {
      const row = await db.read
        .selectFrom('shared_file_parts')
        .select('bytes')
        .where('sha256', '=', sha256)
        .where('part', '=', part)
        .executeTakeFirst();
      return row?.bytes ?? null;
    },
    async addPart(sha256, part, bytes, nowMs) {
      await db.write
        .insertInto('shared_file_parts')
        .values({ sha256, part, bytes, stored_at: nowMs })
        .onConflict((conflict) => conflict.columns(['sha256', 'part']).doUpdateSet({ stored_at: nowMs }))
        .execute();
    },
    publish: ({ name, modifiedAtMs, ...rest }, nowMs) =>
      db.transaction(async (trx) => {
        const values = { ...rest, modified_at: modifiedAtMs, shared_at: nowMs };
        await trx
          .insertInto('shared_files')
          .values({ name, ...values })
          .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
          .execute();
        await recordChange(trx, sharedFilesTopic, name, nowMs);
      }),
    prune: (prefix, keep, nowMs) => db.transaction((trx) => removeOld(trx, prefix, keep, nowMs)),
  };
}

async function removeOld(trx: Transaction<Schema>, prefix: string, keep: number, nowMs: number): Promise<void> {
  const ofKind = trx.selectFrom('shared_files').select('name').where('name', 'like', `${prefix}%`);
  const newest = ofKind.orderBy('shared_at', 'desc').limit(keep);
  const names = (await newest.execute()).map(({ name }) => name);
  if (names.length === keep) {
    await trx.deleteFrom('shared_files').where('name', 'like', `${prefix}%`).where('name', 'not in', names).execute();
  }
  await trx
    .deleteFrom('shared_file_parts')
    .where('stored_at', '<', nowMs - partsWaitMs)
    .where('sha256', 'not in', trx.selectFrom('shared_files').select('sha256'))
    .execute();
}
