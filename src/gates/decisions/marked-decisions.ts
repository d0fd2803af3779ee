import { timeOfId } from '../../ulid.ts';
import type { DecisionsStore, LogFilter, LoggedRow } from './decisions-store.ts';
import { scanLog } from './scan-log.ts';

/** When a decision was made, and the end of its id: together they find it in the log. */
export type DecisionMark = readonly [atMs: number, idEnd: string];

/** Marks no further apart than this are found by one search. */
const maxApartMs = 10_000;

/** The entries with these marks that the log still has, newest first. */
export async function findMarked(
  log: Pick<DecisionsStore, 'listOf'>,
  gateIds: readonly string[],
  marks: readonly DecisionMark[],
  filter: Pick<LogFilter, 'actions'> = {},
): Promise<LoggedRow[]> {
  const found: LoggedRow[] = [];
  for (const together of searchesFor(marks)) {
    const ends = Map.groupBy(together, ([atMs]) => atMs);
    const span = { fromMs: together.at(-1)?.[0] ?? 0, toMs: (together[0]?.[0] ?? 0) + 1 };
    for await (const row of scanLog(log, gateIds, { ...filter, ...span })) {
      if (ends.get(timeOfId(row.id))?.some(([, idEnd]) => row.id.endsWith(idEnd))) found.push(row);
    }
  }
  return found;
}

/** The marks newest first, in groups that are found together. */
function searchesFor(marks: readonly DecisionMark[]): DecisionMark[][] {
  const searches: DecisionMark[][] = [];
  for (const mark of marks.toSorted(([one], [other]) => other - one)) {
    const current = searches.at(-1);
    const previous = current?.at(-1);
    if (current !== undefined && previous !== undefined && previous[0] - mark[0] <= maxApartMs) current.push(mark);
    else searches.push([mark]);
  }
  return searches;
}
