import { stat } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import type { StorageSizes } from '../db.ts';
import type { Mutex } from '../mutex.ts';
import type { Schema } from '../schema.ts';
import { storageError } from '../storage-errors.ts';
import { deferFsync } from './sqlite-driver.ts';
import type { WalCheckpoints } from './wal-checkpoints.ts';

/** Pages returned in one statement: each statement is a transaction. */
const pagesPerStatement = 100;
/** Free pages that stay for the next writes, so that the file need not grow for them. */
const pagesKept = 1_000;

/**
 * Shortens the file by its free pages in steps between which others write. Needs `auto_vacuum = incremental`; an older file
 * keeps its pages until it is replaced by a backup of itself.
 */
export async function vacuum(
  writer: DatabaseSync,
  mutex: Mutex,
  wal: Pick<WalCheckpoints, 'checkpoint'>,
  ended: AbortSignal,
): Promise<void> {
  let left = Number.POSITIVE_INFINITY;
  while (!ended.aborted) {
    const release = await mutex.acquire();
    try {
      const free = freePages(writer);
      if (free <= pagesKept || free === left) return;
      left = free;
      // Not through the driver, which runs one step of a statement without columns: that is one page.
      const pages = Math.min(pagesPerStatement, free - pagesKept);
      const restoreFsync = deferFsync(writer);
      try {
        writer.exec(`pragma incremental_vacuum(${pages})`);
      } finally {
        restoreFsync();
      }
    } catch (error) {
      throw storageError(error);
    } finally {
      release();
    }
    // Only the checkpoint shortens the file.
    await wal.checkpoint();
  }
}

function freePages(database: DatabaseSync): number {
  return Number(database.prepare('pragma freelist_count').get()?.freelist_count);
}

/** The sizes of the files, and the free space in them. */
export async function readSizes(file: string, read: Kysely<Schema>): Promise<StorageSizes> {
  const [database, log, free, pageBytes] = await Promise.all([
    stat(file),
    // SQLite removes the log when the last connection closes and creates it with the first write.
    stat(`${file}-wal`).catch(() => null),
    pragma(read, 'freelist_count'),
    pragma(read, 'page_size'),
  ]);
  return { databaseBytes: database.size, logBytes: log?.size ?? 0, freeBytes: free * pageBytes };
}

async function pragma(db: Kysely<Schema>, name: 'freelist_count' | 'page_size'): Promise<number> {
  const { rows } = await sql<Record<string, number>>`pragma ${sql.raw(name)}`.execute(db);
  return rows[0]?.[name] ?? 0;
}
