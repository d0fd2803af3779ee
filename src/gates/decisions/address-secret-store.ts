import type { Db } from '../../db/db.ts';
import { keepSetting, readSetting } from '../../db/kept-setting.ts';

const name = 'decision_log_secret';

/**
 * The secrets of the log. The first one is for new entries: the operator's own, else this database's, which the first process
 * that asks creates from `fresh`. Secrets of earlier entries follow.
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
