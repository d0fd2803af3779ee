import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { noteBackup } from '../db/last-backup.ts';
import { verifyDatabaseFile } from '../db/sqlite/sqlite-verify.ts';
import { makeFolder } from '../files/make-folder.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { withService } from './open-service.ts';

/** `signalpost backup FILE`, or `signalpost backup --keep N DIR` for a timer. */
export const backupCommand: Command = {
  name: 'backup',
  usage: 'FILE | --keep N DIR',
  summary:
    'Write a consistent copy of the embedded database while the service runs; with --keep, into a folder of the newest N',
  options: {
    keep: {
      type: 'string',
      value: 'N',
      help: 'write a copy with the time in its name into the folder, and keep the newest N',
    },
  },
  example: 'backup --keep 7 backups',
  positionals: [1, 1],
  async run(invocation) {
    const keep = readKeep(invocation);
    const path = resolve(invocation.positionals[0] ?? '');
    const file = keep === null ? path : join(path, copyName(Date.now()));
    await withService(invocation.config, async ({ db }) => {
      if (keep !== null) makeFolder(path, 0o700);
      await db.backup(file);
      verifyOrRemove(file);
      await noteBackup(db, Date.now());
    });
    const removed = keep === null ? [] : removeOlder(path, keep, file);
    return {
      json: { file, removed },
      text: [`Backed up to ${file}`, ...removed.map((old) => `Removed ${old}`)].join('\n'),
    };
  },
};

function readKeep({ options: { keep } }: Invocation): number | null {
  if (keep === undefined) return null;
  if (!/^[1-9]\d{0,3}$/.test(keep)) throw new UsageError('--keep must be a whole number from 1 to 9999');
  return Number(keep);
}

/** Names sort by time; milliseconds, so that two in one second do not collide. */
const copyName = (nowMs: number): string => `signalpost-${new Date(nowMs).toISOString().replaceAll(':', '-')}.db`;

const isCopy = (name: string): boolean => /^signalpost-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.db$/.test(name);

/** Verifies a new copy before older ones are removed; a copy that fails is removed itself. */
function verifyOrRemove(file: string): void {
  try {
    verifyDatabaseFile(file);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

/**
 * Removes all but the newest copies and the one just made, whatever time a clock that was set back gave it. Of other names
 * in the folder nothing is known, so they stay.
 */
function removeOlder(folder: string, keep: number, made: string): string[] {
  const copies = readdirSync(folder).filter(isCopy).sort();
  const older = copies.slice(0, -keep).map((name) => join(folder, name));
  const removed = older.filter((file) => file !== made);
  for (const file of removed) rmSync(file);
  return removed;
}
