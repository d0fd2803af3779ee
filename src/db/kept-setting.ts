import type { Db } from './db.ts';

/** A setting of this database; undefined while it is not set. */
export async function readSetting(db: Pick<Db, 'read'>, name: string): Promise<string | undefined> {
  const row = await db.read.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** A setting of this database; the first process that reads it sets it to `fresh()`. */
export async function keepSetting(db: Db, name: string, fresh: () => string): Promise<string> {
  const kept = await readSetting(db, name);
  if (kept !== undefined) return kept;
  // Of several processes that start together, one is first.
  await db.write
    .insertInto('settings')
    .values({ name, value: fresh() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const made = await readSetting(db, name);
  if (made === undefined) throw new Error(`the setting ${name} was not kept`);
  return made;
}
