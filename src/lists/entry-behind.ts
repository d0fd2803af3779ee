import type { ListState } from './list-state.ts';
import { Flag } from './snapshot/flags.ts';
import { entryName, type ListTable } from './snapshot/list-table.ts';
import { entriesFor } from './snapshot/walk.ts';

/** The flags of each kind. */
const flagsOf = { disposable: Flag.strong | Flag.weak, relay: Flag.relay, spam: Flag.spam } as const;

/** The listed name, the name itself or a parent, whose entry flags it; the name itself when no entry does. */
export function entryBehind({ operator, snapshot }: ListState, kind: keyof typeof flagsOf, name: string): string {
  return flaggingName(operator.table, kind, name) ?? flaggingName(snapshot.table, kind, name) ?? name;
}

function flaggingName(table: ListTable, kind: keyof typeof flagsOf, name: string): string | null {
  if (table.flags.length === 0) return null;
  const entry = entriesFor(table, name).find((each) => ((table.flags[each] as number) & flagsOf[kind]) !== 0);
  return entry === undefined ? null : entryName(table, entry);
}
