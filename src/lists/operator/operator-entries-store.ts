import type { Transaction } from 'kysely';
import type { Actor } from '../../actor.ts';
import { recordAct } from '../../db/audit.ts';
import { recordChange } from '../../db/changes.ts';
import type { Db } from '../../db/db.ts';
import type { Schema } from '../../db/schema.ts';
import { chunksOf } from '../../platform/chunks-of.ts';
import type { OperatorEntry, OperatorList } from './operator-list.ts';

/** The topic that announces changes of the operator's entries; the scope is the list. */
export const operatorEntriesTopic = 'operator-entries';

export interface OperatorEntriesStore {
  all(): Promise<OperatorEntry[]>;
  /** In alphabetical order. */
  of(list: OperatorList): Promise<string[]>;
  /** Adds missing entries and returns them. */
  add(list: OperatorList, entries: readonly string[], by: Actor, nowMs: number): Promise<string[]>;
  /** Removes existing entries and returns them. */
  remove(list: OperatorList, entries: readonly string[], by: Actor, nowMs: number): Promise<string[]>;
}

/** Rows in one statement: three parameters each, well below the limits of both engines. */
const rowsPerStatement = 500;
/** The audit trail names at most this many entries, and only counts more. */
const maxNamed = 10;

export function createOperatorEntriesStore(db: Db): OperatorEntriesStore {
  return {
    async all() {
      const rows = await db.read.selectFrom('operator_entries').select(['list', 'entry']).execute();
      return rows as OperatorEntry[];
    },
    async of(list) {
      const rows = await db.read
        .selectFrom('operator_entries')
        .select('entry')
        .where('list', '=', list)
        .orderBy('entry')
        .execute();
      return rows.map(({ entry }) => entry);
    },
    add: (list, entries, by, nowMs) =>
      db.transaction(async (trx) => {
        const added = await inSlices(entries, (some) =>
          trx
            .insertInto('operator_entries')
            .values(some.map((entry) => ({ list, entry, added_at: nowMs })))
            .onConflict((conflict) => conflict.columns(['list', 'entry']).doNothing())
            .returning('entry')
            .execute(),
        );
        const changed = entries.filter((entry) => added.has(entry));
        return await note(trx, by, { action: 'list.added', list, changed }, nowMs);
      }),
    remove: (list, entries, by, nowMs) =>
      db.transaction(async (trx) => {
        const removed = await inSlices(entries, (some) =>
          trx
            .deleteFrom('operator_entries')
            .where('list', '=', list)
            .where('entry', 'in', some)
            .returning('entry')
            .execute(),
        );
        const changed = entries.filter((entry) => removed.has(entry));
        return await note(trx, by, { action: 'list.removed', list, changed }, nowMs);
      }),
  };
}

async function inSlices(
  entries: readonly string[],
  run: (some: readonly string[]) => Promise<readonly { readonly entry: string }[]>,
): Promise<Set<string>> {
  const changed = new Set<string>();
  for (const some of chunksOf(entries, rowsPerStatement)) {
    for (const { entry } of await run(some)) changed.add(entry);
  }
  return changed;
}

/** Announces a change to the other processes and records it in the audit trail. */
async function note(
  trx: Transaction<Schema>,
  by: Actor,
  { action, list, changed }: { action: 'list.added' | 'list.removed'; list: OperatorList; changed: string[] },
  nowMs: number,
): Promise<string[]> {
  if (changed.length > 0) {
    const detail = { count: changed.length, entries: changed.slice(0, maxNamed) };
    await recordAct(trx, by, { action, subject: list, accountId: null, detail }, nowMs);
    await recordChange(trx, operatorEntriesTopic, list, nowMs);
  }
  return changed;
}
