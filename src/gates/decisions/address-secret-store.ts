import type { Db } from '../../db/db.ts';
import { keepSetting, readSetting } from '../../db/kept-setting.ts';

const name = 'decision_log_secret';

/**
 * The secrets of the log, that of new entries first: the operator's own when there is one, else that of this database, made
 * from `fresh` by the first of all processes that ask. Secrets of earlier entries follow.
 */
export async function loadAddressSecrets(
  db: Db,
  own: string | null,
  fresh: () => string,
): Promise<readonly [string, ...string[]]> {
  if (own === null) return [await keepSetting(db, name, fresh)];
  const kept = await readSetting(db, name);
  return kept === undefined ? [own] : [own, kept];
}
