import type { Db } from './db.ts';
import { readSetting } from './kept-setting.ts';

/** The setting with the time of the last backup, in milliseconds. */
const name = 'last_backup_at';

/** Records that a backup is complete, for the metrics. */
export async function noteBackup({ write }: Pick<Db, 'write'>, atMs: number): Promise<void> {
  const value = String(atMs);
  await write
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** The time of the last backup; null before the first. */
export async function lastBackupAtMs(db: Pick<Db, 'read'>): Promise<number | null> {
  const value = await readSetting(db, name);
  return value === undefined ? null : Number(value);
}
