import type { Db } from './db.ts';

/** Under this name the settings keep when a backup was last made, as milliseconds. */
const name = 'last_backup_at';

/** Notes that a backup is complete, for the metrics. */
export async function noteBackup({ write }: Pick<Db, 'write'>, atMs: number): Promise<void> {
  const value = String(atMs);
  await write
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** When a backup was last made; null when there was none. */
export async function lastBackupAtMs({ read }: Pick<Db, 'read'>): Promise<number | null> {
  const row = await read.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row === undefined ? null : Number(row.value);
}
