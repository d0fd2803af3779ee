import { stat } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import type { StorageSizes } from '../db.ts';
import type { Schema } from '../schema.ts';
import { storageError } from '../storage-errors.ts';
import type { Turn } from '../turn.ts';

import type { LogKeeper } from './log-keeper.ts';
import { doNotWaitForDisk } from './sqlite-driver.ts';

/** Pages given back in one statement: each is a transaction. */
const pagesAtOnce = 100;
/** Free pages that stay: what comes next is written there, and the file need not grow for it. */
const pagesKept = 1_000;

/**
 * Shortens the file by its free pages, others writing in between. Works on files made with `auto_vacuum = incremental`; an
 * older file keeps its pages until it is replaced by a backup of itself.
 */
export async function giveBackSpace(
  writer: DatabaseSync,
  turn: Turn,
  log: Pick<LogKeeper, 'copyBack'>,
  ended: AbortSignal,
): Promise<void> {
  let left = Number.POSITIVE_INFINITY;
  while (!ended.aborted) {
    const endTurn = await turn.take();
    try {
      const free = freePages(writer);
      if (free <= pagesKept || free === left) return;
      left = free;
      // Not through the driver, which takes one step of a statement without columns: that is one page.
      const pages = Math.min(pagesAtOnce, free - pagesKept);
      const waitAgain = doNotWaitForDisk(writer);
      try {
        writer.exec(`pragma incremental_vacuum(${pages})`);
      } finally {
        waitAgain();
      }
    } catch (error) {
      throw storageError(error);
    } finally {
      endTurn();
    }
    // Only then does the file get shorter.
    await log.copyBack();
  }
}

function freePages(database: DatabaseSync): number {
  return Number(database.prepare('pragma freelist_count').get()?.freelist_count);
}

/** What the files take, and how much of it is free. */
export async function readSizes(file: string, read: Kysely<Schema>): Promise<StorageSizes> {
  const [database, log, free, pageBytes] = await Promise.all([
    stat(file),
    // SQLite removes the log when the last connection closes, and makes it again with the first write.
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
