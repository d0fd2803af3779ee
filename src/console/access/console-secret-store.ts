import type { Db } from '../../db/db.ts';

const name = 'console_secret';

/** The secret that tokens of this installation are made with; `fresh` is kept when there is none yet. */
export async function loadConsoleSecret(db: Db, fresh: () => string): Promise<string> {
  const kept = await read(db);
  if (kept !== undefined) return kept;
  // Of several processes that start at once, one is first.
  await db.write
    .insertInto('settings')
    .values({ name, value: fresh() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const made = await read(db);
  if (made === undefined) throw new Error(`the setting ${name} was not kept`);
  return made;
}

async function read(db: Db): Promise<string | undefined> {
  const row = await db.read.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}
