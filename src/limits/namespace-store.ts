import type { Db } from '../db/db.ts';
import { keepSetting } from '../db/kept-setting.ts';

/** The prefix of this database's keys in Redis; the first process stores the result of `create`. */
export function loadNamespace(db: Db, create: () => string): Promise<string> {
  return keepSetting(db, 'shared_counts_namespace', create);
}
