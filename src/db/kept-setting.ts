import type { Db } from './db.ts';

/** A setting of this database; undefined while nobody has made it. */
export async function readSetting(db: Db, name: string): Promise<string | undefined> {
  const row = await db.read.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** A setting of this database, made from `fresh` by the first process that asks for it. */
export async function keepSetting(db: Db, name: string, fresh: () => string): Promise<string> {
  const kept = await readSetting(db, name);
  if (kept !== undefined) return kept;
  // Of several processes that start at once, one is first.
  await db.write
    .insertInto('settings')
    .values({ name, value: fresh() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const made = await readSetting(db, name);
  if (made === undefined) throw new Error(`the setting ${name} was not kept`);
  return made;
}
