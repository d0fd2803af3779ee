import { Flag } from '../snapshot/flags.ts';
import { buildTable, type ListTable } from '../snapshot/list-table.ts';
import type { OperatorEntry, OperatorList } from './operator-list.ts';

/** All of the operator's entries, ready for lookups. Domain entries cover their subdomains, `public` ones do not. */
export interface OperatorEntries {
  readonly table: ListTable;
  readonly addresses: ReadonlySet<string>;
  readonly counts: Readonly<Record<OperatorList, number>>;
}

const listFlags: Readonly<Record<Exclude<OperatorList, 'addresses'>, number>> = {
  disposable: Flag.strong,
  public: Flag.public,
  relay: Flag.relay | Flag.relaySubdomains,
  spam: Flag.spam,
  allow: Flag.allow,
};

/** Indexes entries for lookups. */
export function operatorEntries(entries: readonly OperatorEntry[]): OperatorEntries {
  const flags = new Map<string, number>();
  const counts = { disposable: 0, public: 0, relay: 0, spam: 0, allow: 0, addresses: 0 };
  const addresses = new Set<string>();
  for (const { list, entry } of entries) {
    counts[list] += 1;
    if (list === 'addresses') addresses.add(entry);
    else flags.set(entry, (flags.get(entry) ?? 0) | listFlags[list]);
  }
  // The rules of the public suffix list are not loaded here: `split` has each inheritance checked when it happens.
  const table = buildTable(
    Array.from(flags, ([name, each]) => ({ name, flags: each | Flag.split, sources: 0, provider: 0 })),
  );
  return { table, addresses, counts };
}
