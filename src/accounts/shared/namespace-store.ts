import type { Db } from '../../db/db.ts';

const name = 'shared_counts_namespace';

/** The name under which the processes of this database count together, made from `fresh` by the first of them that asks. */
export async function loadNamespace(db: Db, fresh: () => string): Promise<string> {
  const kept = await read(db);
  if (kept !== undefined) return kept;
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
