import { fileStamp } from '../../files/file-stamp.ts';
import { Flag } from '../snapshot/flags.ts';
import { buildTable, type ListTable } from '../snapshot/list-table.ts';
import {
  type EntryProblem,
  type OperatorList,
  operatorLists,
  operatorPath,
  readOperatorFile,
} from './operator-files.ts';

/** All of the operator's entries, ready for lookups. Domain entries cover their subdomains, `public` ones do not. */
export interface OperatorEntries {
  readonly table: ListTable;
  readonly addresses: ReadonlySet<string>;
  readonly counts: Readonly<Record<OperatorList, number>>;
  readonly problems: readonly EntryProblem[];
}

const listFlags: Readonly<Record<Exclude<OperatorList, 'addresses'>, number>> = {
  disposable: Flag.strong,
  public: Flag.public,
  relay: Flag.relay | Flag.relaySubdomains,
  spam: Flag.spam,
  allow: Flag.allow,
};

/** Reads the operator's files of a folder. */
export function readOperatorEntries(folder: string): OperatorEntries {
  const flags = new Map<string, number>();
  const counts = { disposable: 0, public: 0, relay: 0, spam: 0, allow: 0, addresses: 0 };
  const problems: EntryProblem[] = [];
  let addresses: ReadonlySet<string> = new Set();
  for (const list of operatorLists) {
    const file = readOperatorFile(folder, list);
    counts[list] = file.entries.size;
    problems.push(...file.problems);
    if (list === 'addresses') addresses = file.entries;
    else for (const name of file.entries) flags.set(name, (flags.get(name) ?? 0) | listFlags[list]);
  }
  // The rules of the public suffix list are not loaded here: `split` has each inheritance checked when it happens.
  const table = buildTable(
    Array.from(flags, ([name, each]) => ({ name, flags: each | Flag.split, sources: 0, provider: 0 })),
  );
  return { table, addresses, counts, problems };
}

/** A value that differs when one of the files was changed, by anybody. */
export function operatorStamp(folder: string): string {
  return operatorLists.map((list) => fileStamp(operatorPath(folder, list))).join(' ');
}
