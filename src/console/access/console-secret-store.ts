import type { Db } from '../../db/db.ts';
import { keepSetting } from '../../db/kept-setting.ts';

/** The secret behind this installation's tokens; stores `fresh` when there is none yet. */
export function loadConsoleSecret(db: Db, fresh: () => string): Promise<string> {
  return keepSetting(db, 'console_secret', fresh);
}
