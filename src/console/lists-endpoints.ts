import type { Actor } from '../actor.ts';
import { AppError } from '../errors.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { accountEndpoint } from '../http/session-api/account-endpoint.ts';
import { wireTime } from '../http/wire-time.ts';
import { items, list } from '../input/list.ts';
import { object, optional } from '../input/object.ts';
import { text } from '../input/scalar.ts';
import { schema } from '../input/schema.ts';
import { mostCharacters } from '../input/text-limits.ts';
import { type ListRefresh, type RefreshProgress, refreshResults } from './list-refresh.ts';
import { listStatusSchema } from './list-status-schema.ts';

/** The outcome of a change: all values are applied, or none when one is invalid. */
export type EntriesChange =
  | { readonly changed: readonly string[]; readonly unchanged: readonly string[] }
  | { readonly problems: readonly { readonly position: number; readonly reason: string }[] };

/** Who says what about a domain. */
export interface DomainNamings {
  readonly domain: string;
  readonly since: string;
  readonly namings: readonly {
    readonly source: string;
    readonly says: string;
    readonly entry: string;
    readonly date: string | null;
    readonly firstSeen: string | null;
    readonly firstNamed: string | null;
  }[];
}

/** The lists, as an operator sees and changes them. */
export interface ConsoleLists {
  /** The response of `GET /lists`. */
  status(): Promise<object>;
  /** The sources that name a domain, and since when; null when the text is not a domain. */
  namings(domain: string): DomainNamings | null;
  /** Null for an unknown list. */
  entries(name: string): Promise<readonly string[]> | null;
  /** Null for an unknown list. */
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

const texts = schema.array(schema.string());

/** `GET /lists`, `GET`, `POST /lists/refresh`, `GET`, `POST`, `DELETE /lists/entries/{list}`: the lists serve every account. */
export function listsEndpoints(lists: ConsoleLists, refresh: ListRefresh): Endpoint[] {
  const change = async (what: 'add' | 'remove', name: string, domains: readonly string[], by: Actor) => {
    const outcome = await lists.change(what, name, domains, by);
    if (outcome === null) throw new AppError('not_found');
    if (!('problems' in outcome)) return outcome;
    const errors = outcome.problems.slice(0, 20).map(({ position, reason }) => [`domains.${position}`, [reason]]);
    throw new AppError('validation_failed', { errors: Object.fromEntries(errors) });
  };
  return [
    endpoint({
      ...accountEndpoint,
      method: 'GET',
      path: '/lists',
      operationId: 'consoleLists',
      summary: 'Age, counts and sources of the lists',
      accountRole: 'operator',
      response: listStatusSchema,
      handle: () => lists.status(),
    }),
    endpoint({
      ...accountEndpoint,
      method: 'GET',
      path: '/lists/named/{domain}',
      operationId: 'consoleDomainNamings',
      summary: 'The sources that name a domain, and since when',
      accountRole: 'operator',
      response: namingsSchema,
      handle({ params: { domain } }) {
        const found = lists.namings(domain);
        if (found === null) throw new AppError('validation_failed', { errors: { domain: ['This is not a domain.'] } });
        const { since, namings } = found;
        return {
          domain: found.domain,
          since,
          named_by: namings.map(({ firstSeen, firstNamed, ...naming }) => ({
            ...naming,
            first_seen: firstSeen,
            first_named: firstNamed,
          })),
        };
      },
    }),
    endpoint({
      ...accountEndpoint,
      method: 'GET',
      path: '/lists/refresh',
      operationId: 'consoleRefreshProgress',
      summary: 'Progress of the running refresh, or the result of the last one',
      accountRole: 'operator',
      response: progressSchema,
      handle: () => progressBody(refresh.progress()),
    }),
    endpoint({
      ...accountEndpoint,
      method: 'POST',
      path: '/lists/refresh',
      operationId: 'consoleRefreshLists',
      summary: 'Start a refresh, or join the running one',
      accountRole: 'operator',
      status: 202,
      body: refreshBody,
      response: progressSchema,
      async handle({ body: { sources } }, { session: { by } }) {
        const problem = await refresh.start(sources ?? null, by);
        if (problem !== null) throw new AppError('validation_failed', { errors: { sources: [problem] } });
        return progressBody(refresh.progress());
      },
    }),
    endpoint({
      ...accountEndpoint,
      method: 'GET',
      path: '/lists/entries/{list}',
      operationId: 'consoleListEntries',
      summary: 'The operator’s own entries of a list',
      accountRole: 'operator',
      response: schema.object({ list: schema.string(), total: schema.integer(), entries: texts }),
      async handle({ params: { list: name } }) {
        const entries = await lists.entries(name);
        if (entries === null) throw new AppError('not_found');
        return { list: name, total: entries.length, entries };
      },
    }),
    endpoint({
      ...accountEndpoint,
      method: 'POST',
      path: '/lists/entries/{list}',
      operationId: 'consoleAddEntries',
      summary: 'Add own entries to a list',
      accountRole: 'operator',
      body: domainsBody,
      response: schema.object({ list: schema.string(), added: texts, unchanged: texts }),
      async handle({ params: { list: name }, body: { domains } }, { session: { by } }) {
        const { changed, unchanged } = await change('add', name, domains, by);
        return { list: name, added: changed, unchanged };
      },
    }),
    endpoint({
      ...accountEndpoint,
      method: 'DELETE',
      path: '/lists/entries/{list}',
      operationId: 'consoleRemoveEntries',
      summary: 'Remove own entries from a list',
      accountRole: 'operator',
      body: domainsBody,
      response: schema.object({ list: schema.string(), removed: texts, unchanged: texts }),
      async handle({ params: { list: name }, body: { domains } }, { session: { by } }) {
        const { changed, unchanged } = await change('remove', name, domains, by);
        return { list: name, removed: changed, unchanged };
      },
    }),
  ];
}

const day = (description: string) => schema.nullable(schema.string(), { description });

const namingsSchema = schema.object({
  domain: schema.string(),
  since: schema.string({ description: 'When this installation began to record first_named' }),
  named_by: schema.array(
    schema.object({
      source: schema.string(),
      says: schema.oneOf(['disposable', 'public', 'relay', 'free_subdomain', 'spam', 'allowed']),
      entry: schema.string(),
      date: schema.nullable(schema.string()),
      first_seen: day('The day on which the publisher first saw it; null where it does not say'),
      first_named: day('The day of the first edition in use here that has it; null when that was before since'),
    }),
  ),
});

const progressSchema = schema.object({
  running: schema.boolean(),
  started_at: schema.nullable(schema.string()),
  ended_at: schema.nullable(schema.string()),
  done: schema.integer(),
  total: schema.integer(),
  current: schema.nullable(
    schema.object({
      source: schema.string(),
      received_bytes: schema.integer(),
      total_bytes: schema.nullable(schema.integer()),
    }),
  ),
  results: schema.array(
    schema.object({
      source: schema.string(),
      result: schema.oneOf(refreshResults),
      count: schema.integer(),
      added: schema.nullable(schema.integer()),
      removed: schema.nullable(schema.integer()),
      reason: schema.nullable(schema.string()),
    }),
  ),
  error: schema.nullable(schema.string()),
});

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
