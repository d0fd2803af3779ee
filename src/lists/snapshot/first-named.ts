import { allSources } from '../sources/source-catalogue.ts';
import { entryName, findName, type ListTable } from './list-table.ts';
import type { FirstNamed, Snapshot, SnapshotHeader } from './snapshot-file.ts';

/** Names whose first day is kept; beyond that the oldest days are dropped. About half a megabyte. */
const maxNames = 20_000;

/** Carries the first days of names over from the previous snapshot, and adds today for new names. */
export function firstNamed(
  previous: Pick<Snapshot, 'header' | 'table'> | null,
  table: ListTable,
  nowMs: number,
  limit = maxNames,
): FirstNamed {
  const today = new Date(nowMs).toISOString();
  // Bits are places in the catalogue: those of another catalogue cannot be compared.
  if (previous === null || !hasSameSources(previous.header)) return { since: today, sources: sourceNames, added: {} };
  const { since, added: known } = previous.header.firstNamed ?? { since: previous.header.builtAt, added: {} };
  const days = new Map<string, Map<string, string[]>>();
  const add = (day: string, source: string, name: string): void => {
    const ofDay = days.get(day) ?? days.set(day, new Map()).get(day);
    const names = ofDay?.get(source);
    if (names === undefined) ofDay?.set(source, [name]);
    else names.push(name);
  };
  for (const [day, bySource] of Object.entries(known)) {
    for (const [source, names] of Object.entries(bySource)) {
      for (const name of names.split(' ')) if (names !== '' && isIn(table, source, name)) add(day, source, name);
    }
  }
  table.sources.forEach((sources, entry) => {
    const name = entryName(table, entry);
    const before = findName(previous.table, name);
    const came = sources & ~(before < 0 ? 0 : (previous.table.sources[before] as number));
    if (came !== 0) for (const source of namesOf(came)) add(today.slice(0, 10), source, name);
  });
  return { since, sources: sourceNames, added: newest(days, limit) };
}

/** The day on which a source first named an entry; null when that was before it was recorded. */
export function firstDayOf({ firstNamed: recorded }: SnapshotHeader, source: string, entry: string): string | null {
  for (const [day, bySource] of Object.entries(recorded?.added ?? {})) {
    if (` ${bySource[source] ?? ''} `.includes(` ${entry} `)) return day;
  }
  return null;
}

const sourceNames = allSources.map(({ name }) => name);

function hasSameSources({ firstNamed: recorded }: SnapshotHeader): boolean {
  return recorded === undefined || recorded.sources.join() === sourceNames.join();
}

function isIn(table: ListTable, source: string, name: string): boolean {
  const entry = findName(table, name);
  return entry >= 0 && namesOf(table.sources[entry] as number).includes(source);
}

function namesOf(bits: number): string[] {
  return sourceNames.filter((_, index) => (bits & (2 ** index)) !== 0);
}

/** The newest days, as text, up to a number of names. */
function newest(days: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>, limit: number): FirstNamed['added'] {
  let room = limit;
  const kept: Record<string, Record<string, string>> = {};
  for (const [day, bySource] of [...days].sort(([one], [other]) => (one < other ? 1 : -1))) {
    kept[day] = Object.fromEntries(
      Array.from(bySource, ([source, names]) => {
        const some = names.slice(0, room);
        room -= some.length;
        return [source, some.join(' ')];
      }),
    );
    if (room === 0) break;
  }
  return kept;
}
