import type { Db } from '../db/db.ts';
import { chunksOf } from '../platform/chunks-of.ts';

/** Ids named in one statement. */
const idsAtOnce = 500;

/** Which of these ids are in use: by a gate or rule of any owner, or by a deleted gate whose log is still being removed. */
export async function takenIds(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const taken = new Set<string>();
  for (const some of chunksOf(ids, idsAtOnce)) {
    for (const table of ['gates', 'removed_gates', 'gate_rules'] as const) {
      const rows = await db.read.selectFrom(table).select('id').where('id', 'in', some).execute();
      for (const { id } of rows) taken.add(id);
    }
  }
  return taken;
}
