import type { Db } from '../db/db.ts';
import { keepSetting } from '../db/kept-setting.ts';

/** The name under which the processes of this database count together, made from `fresh` by the first of them that asks. */
export function loadNamespace(db: Db, fresh: () => string): Promise<string> {
  return keepSetting(db, 'shared_counts_namespace', fresh);
}
