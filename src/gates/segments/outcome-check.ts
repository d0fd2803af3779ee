import type { OutcomeFilter } from '../decisions/outcome.ts';
import type { OutcomesStore } from '../decisions/outcomes-store.ts';
import type { Candidate } from './segments-store.ts';

/** Which entries of a segment have the outcome that is searched for; null when none has. */
export type OutcomeCheck = (segment: Candidate) => Promise<((id: string) => boolean) | null>;

/** Ids read ahead for the segments that come next: one query is enough for a log with few outcomes. */
const idsAtOnce = 2_000;

/** Checks segments from the newest to the oldest against the outcomes beside the log. */
export function createOutcomeCheck(
  store: Pick<OutcomesStore, 'ids'>,
  gateIds: readonly string[],
  filter: OutcomeFilter | undefined,
): OutcomeCheck {
  if (filter === undefined) return async () => () => true;
  const outcome = filter === 'none' ? null : filter;
  /** The ids that were read, and the span in which they are complete. */
  let known = { ids: [] as string[], from: '~', to: '' };
  const read = async (from: string, to: string, limit: number) => {
    const pages = [];
    for (const gateId of gateIds) pages.push(await store.ids(gateId, outcome, { from, before: `${to}0` }, limit));
    const unread = pages.map((page) => (page.length === limit ? (page.at(-1) ?? '') : from));
    return { ids: pages.flat(), from: unread.reduce((one, other) => (one > other ? one : other), from), to };
  };
  return async ({ firstId, lastId }) => {
    if (lastId > known.to || firstId < known.from) {
      known = await read('', lastId, idsAtOnce);
      if (firstId < known.from) known = await read(firstId, lastId, Number.MAX_SAFE_INTEGER);
    }
    const within = new Set(known.ids.filter((id) => id >= firstId && id <= lastId));
    if (outcome === null) return (id) => !within.has(id);
    return within.size === 0 ? null : (id) => within.has(id);
  };
}
