import type { Db } from '../../db/db.ts';

const name = 'decision_log_secret';

/**
 * The secrets of the log, that of new entries first: the operator's own when there is one, else that of this database, made
 * from `fresh` by the first of all processes that ask. One that earlier entries were kept under comes behind.
 */
export async function loadAddressSecrets(
  db: Db,
  own: string | null,
  fresh: () => string,
): Promise<readonly [string, ...string[]]> {
  const kept = await read(db);
  if (own !== null) return kept === undefined ? [own] : [own, kept];
  if (kept !== undefined) return [kept];
  await db.write
    .insertInto('settings')
    .values({ name, value: fresh() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const made = await read(db);
  if (made === undefined) throw new Error(`the setting ${name} was not kept`);
  return [made];
}

async function read(db: Db): Promise<string | undefined> {
  const row = await db.read.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}
