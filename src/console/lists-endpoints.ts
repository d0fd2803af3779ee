import type { Actor } from '../actor.ts';
import { AppError } from '../errors.ts';
import { type SessionEndpoint, sessionEndpoint } from '../http/session-api/session-endpoint.ts';
import { wireTime } from '../http/wire-time.ts';
import { items, list } from '../input/list.ts';
import { object, optional } from '../input/object.ts';
import { text } from '../input/scalar.ts';
import { mostCharacters } from '../input/text-limits.ts';
import type { ListRefresh, RefreshProgress } from './list-refresh.ts';

/** What came of a change: all of the values, or, when one of them is wrong, none. */
export type EntriesChange =
  | { readonly changed: readonly string[]; readonly unchanged: readonly string[] }
  | { readonly problems: readonly { readonly position: number; readonly reason: string }[] };

/** The lists, as an operator sees and changes them. */
export interface ConsoleLists {
  /** Age, counts and sources, on the wire. */
  status(): Promise<object>;
  /** Null for a list that there is not. */
  entries(name: string): Promise<readonly string[]> | null;
  /** Null for a list that there is not. */
  change(what: 'add' | 'remove', name: string, values: readonly string[], by: Actor): Promise<EntriesChange | null>;
}

const mostDomains = 1_000;
const domainsBody = object({
  domains: list('The domains field', text('The domain', [mostCharacters(320)]), {
    limits: [items(1, mostDomains, `Send 1 to ${mostDomains} domains.`)],
  }),
});
const refreshBody = object({
  sources: optional(
    list('The sources field', text('The source', [mostCharacters(120)]), {
      limits: [items(1, 100, 'Send 1 to 100 sources.')],
    }),
  ),
});

/** `GET /lists`, `GET`, `POST /lists/refresh`, `GET`, `POST`, `DELETE /lists/entries/{list}`: they serve every account. */
export function listsEndpoints(lists: ConsoleLists, refresh: ListRefresh): SessionEndpoint[] {
  const change = async (what: 'add' | 'remove', name: string, domains: readonly string[], by: Actor) => {
    const outcome = await lists.change(what, name, domains, by);
    if (outcome === null) throw new AppError('not_found');
    if (!('problems' in outcome)) return outcome;
    const errors = outcome.problems.slice(0, 20).map(({ position, reason }) => [`domains.${position}`, [reason]]);
    throw new AppError('validation_failed', { errors: Object.fromEntries(errors) });
  };
  return [
    sessionEndpoint({
      method: 'GET',
      path: '/lists',
      operationId: 'consoleLists',
      access: 'operator',
      handle: () => lists.status(),
    }),
    sessionEndpoint({
      method: 'GET',
      path: '/lists/refresh',
      operationId: 'consoleRefreshProgress',
      access: 'operator',
      handle: () => progressBody(refresh.progress()),
    }),
    sessionEndpoint({
      method: 'POST',
      path: '/lists/refresh',
      operationId: 'consoleRefreshLists',
      access: 'operator',
      status: 202,
      body: refreshBody,
      async handle({ body: { sources } }, { by }) {
        const problem = await refresh.begin(sources ?? null, by);
        if (problem !== null) throw new AppError('validation_failed', { errors: { sources: [problem] } });
        return progressBody(refresh.progress());
      },
    }),
    sessionEndpoint({
      method: 'GET',
      path: '/lists/entries/{list}',
      operationId: 'consoleListEntries',
      access: 'operator',
      async handle({ params: { list: name } }) {
        const entries = await lists.entries(name);
        if (entries === null) throw new AppError('not_found');
        return { list: name, total: entries.length, entries };
      },
    }),
    sessionEndpoint({
      method: 'POST',
      path: '/lists/entries/{list}',
      operationId: 'consoleAddEntries',
      access: 'operator',
      body: domainsBody,
      async handle({ params: { list: name }, body: { domains } }, { by }) {
        const { changed, unchanged } = await change('add', name, domains, by);
        return { list: name, added: changed, unchanged };
      },
    }),
    sessionEndpoint({
      method: 'DELETE',
      path: '/lists/entries/{list}',
      operationId: 'consoleRemoveEntries',
      access: 'operator',
      body: domainsBody,
      async handle({ params: { list: name }, body: { domains } }, { by }) {
        const { changed, unchanged } = await change('remove', name, domains, by);
        return { list: name, removed: changed, unchanged };
      },
    }),
  ];
}

function progressBody(progress: RefreshProgress): object {
  const { startedAtMs, endedAtMs, results, total, current, error } = progress;
  const time = (ms: number | null): string | null => (ms === null ? null : wireTime(ms));
  return {
    running: startedAtMs !== null && endedAtMs === null,
    started_at: time(startedAtMs),
    ended_at: time(endedAtMs),
    done: results.length,
    total,
    current:
      current === null
        ? null
        : { source: current.source, received_bytes: current.receivedBytes, total_bytes: current.totalBytes },
    results,
    error,
  };
}
