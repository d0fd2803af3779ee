import type { Actor } from '../actor.ts';
import { AppError } from '../errors.ts';
import { field, listOf, nested, nestedOrNull, same, timeOrNull, wireOf } from '../http/answers/wire-fields.ts';
import type { Wire } from '../http/answers/wire-object.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { accountEndpoint } from '../http/session-api/account-endpoint.ts';
import { items, list } from '../input/list.ts';
import { object, optional } from '../input/object.ts';
import { text } from '../input/scalar.ts';
import { schema } from '../input/schema.ts';
import { maxCharacters } from '../input/text-limits.ts';
import { type ListRefresh, type RefreshProgress, refreshResults, type SourceResult } from './list-refresh.ts';

/** The outcome of a change: all values are applied, or none when one is invalid. */
export type EntriesChange =
  | { readonly changed: readonly string[]; readonly unchanged: readonly string[] }
  | { readonly problems: readonly { readonly position: number; readonly reason: string }[] };

/** A source that names a domain. */
export interface DomainNaming {
  readonly source: string;
  readonly says: string;
  readonly entry: string;
  readonly date: string | null;
  readonly firstSeen: string | null;
  readonly firstNamed: string | null;
}

/** The sources that name a domain. */
export interface DomainNamings {
  readonly domain: string;
  readonly since: string;
  readonly namings: readonly DomainNaming[];
}

/** The lists, as an operator sees and changes them. */
export interface ConsoleLists<Status> {
  status(): Promise<Status>;
  readonly statusBody: Wire<Status>;
  /** The sources that name a domain, and since when; null when the text is not a domain. */
  namings(domain: string): DomainNamings | null;
  /** Null for an unknown list. */
  entries(name: string): Promise<readonly string[]> | null;
  /** Null for an unknown list. */
  change(what: 'add' | 'remove', name: string, values: readonly string[], by: Actor): Promise<EntriesChange | null>;
}

const maxDomains = 1_000;
const domainsBody = object({
  domains: list('The domains field', text('The domain', [maxCharacters(320)]), {
    limits: [items(1, maxDomains, `Send 1 to ${maxDomains} domains.`)],
  }),
});
const refreshBody = object({
  sources: optional(
    list('The sources field', text('The source', [maxCharacters(120)]), {
      limits: [items(1, 100, 'Send 1 to 100 sources.')],
    }),
  ),
});

const texts = schema.array(schema.string());

const entriesBody = wireOf<{ readonly list: string; readonly entries: readonly string[] }>({
  list: field(schema.string(), ({ list: name }) => name),
  total: field(schema.integer(), ({ entries }) => entries.length),
  entries: field(texts, ({ entries }) => entries),
});

interface ListChange {
  readonly list: string;
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
}

const changeBody = (name: 'added' | 'removed') =>
  wireOf<ListChange>({
    ...same<ListChange>({ list: schema.string() }),
    [name]: field(texts, ({ changed }) => changed),
    ...same<ListChange>({ unchanged: texts }),
  });

const day = (description: string) => schema.nullable(schema.string(), { description });

const namingBody = wireOf<DomainNaming>({
  ...same<DomainNaming>({
    source: schema.string(),
    says: schema.oneOf(['disposable', 'public', 'relay', 'free_subdomain', 'spam', 'allowed']),
    entry: schema.string(),
    date: schema.nullable(schema.string()),
  }),
  first_seen: field(
    day('The day on which the publisher first saw it; null where it does not say'),
    ({ firstSeen }) => firstSeen,
  ),
  first_named: field(
    day('The day of the first edition in use here that has it; null when that was before since'),
    ({ firstNamed }) => firstNamed,
  ),
});

const namingsBody = wireOf<DomainNamings>({
  ...same<DomainNamings>({
    domain: schema.string(),
    since: schema.string({ description: 'When this installation began to record first_named' }),
  }),
  named_by: nested(listOf(namingBody), ({ namings }) => namings),
});

const downloadBody = wireOf<NonNullable<RefreshProgress['current']>>({
  source: field(schema.string(), ({ source }) => source),
  received_bytes: field(schema.integer(), ({ receivedBytes }) => receivedBytes),
  total_bytes: field(schema.nullable(schema.integer()), ({ totalBytes }) => totalBytes),
});

const resultBody = wireOf<SourceResult>({
  ...same<SourceResult>({
    source: schema.string(),
    result: schema.oneOf(refreshResults),
    count: schema.integer(),
    added: schema.nullable(schema.integer()),
    removed: schema.nullable(schema.integer()),
    reason: schema.nullable(schema.string()),
  }),
});

const progressBody = wireOf<RefreshProgress>({
  running: field(schema.boolean(), ({ startedAtMs, endedAtMs }) => startedAtMs !== null && endedAtMs === null),
  started_at: timeOrNull(({ startedAtMs }) => startedAtMs),
  ended_at: timeOrNull(({ endedAtMs }) => endedAtMs),
  done: field(schema.integer(), ({ results }) => results.length),
  total: field(schema.integer(), ({ total }) => total),
  current: nestedOrNull(downloadBody, ({ current }) => current),
  results: nested(listOf(resultBody), ({ results }) => results),
  error: field(schema.nullable(schema.string()), ({ error }) => error),
});

/** The lists serve every account: their state, a refresh, and the operator's own entries. */
export function listsEndpoints<Status>(lists: ConsoleLists<Status>, refresh: ListRefresh): Endpoint[] {
  return [...statusEndpoints(lists), ...refreshEndpoints(refresh), ...entriesEndpoints(lists)];
}

/** `GET /lists`, `GET /lists/named/{domain}`. */
function statusEndpoints<Status>(lists: ConsoleLists<Status>): Endpoint[] {
  return [
    endpoint({
      ...accountEndpoint,
      method: 'GET',
      path: '/lists',
      operationId: 'consoleLists',
      summary: 'Age, counts and sources of the lists',
      accountRole: 'operator',
      response: lists.statusBody,
      handle: () => lists.status(),
    }),
    endpoint({
      ...accountEndpoint,
      method: 'GET',
      path: '/lists/named/{domain}',
      operationId: 'consoleDomainNamings',
      summary: 'The sources that name a domain, and since when',
      accountRole: 'operator',
      response: namingsBody,
      handle({ params: { domain } }) {
        const found = lists.namings(domain);
        if (found === null) throw new AppError('validation_failed', { errors: { domain: ['This is not a domain.'] } });
        return found;
      },
    }),
  ];
}

/** `GET`, `POST /lists/refresh`. */
function refreshEndpoints(refresh: ListRefresh): Endpoint[] {
  return [
    endpoint({
      ...accountEndpoint,
      method: 'GET',
      path: '/lists/refresh',
      operationId: 'consoleRefreshProgress',
      summary: 'Progress of the running refresh, or the result of the last one',
      accountRole: 'operator',
      response: progressBody,
      handle: () => refresh.progress(),
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
      response: progressBody,
      async handle({ body: { sources } }, { session: { by } }) {
        const problem = await refresh.start(sources ?? null, by);
        if (problem !== null) throw new AppError('validation_failed', { errors: { sources: [problem] } });
        return refresh.progress();
      },
    }),
  ];
}

/** `GET`, `POST`, `DELETE /lists/entries/{list}`. */
function entriesEndpoints(lists: Pick<ConsoleLists<unknown>, 'entries' | 'change'>): Endpoint[] {
  return [
    endpoint({
      ...accountEndpoint,
      method: 'GET',
      path: '/lists/entries/{list}',
      operationId: 'consoleListEntries',
      summary: 'The operator’s own entries of a list',
      accountRole: 'operator',
      response: entriesBody,
      async handle({ params: { list: name } }) {
        const entries = await lists.entries(name);
        if (entries === null) throw new AppError('not_found');
        return { list: name, entries };
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
      response: changeBody('added'),
      async handle({ params: { list: name }, body: { domains } }, { session: { by } }) {
        return { list: name, ...appliedIn(await lists.change('add', name, domains, by)) };
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
      response: changeBody('removed'),
      async handle({ params: { list: name }, body: { domains } }, { session: { by } }) {
        return { list: name, ...appliedIn(await lists.change('remove', name, domains, by)) };
      },
    }),
  ];
}

/** A change that was applied; throws for an unknown list and for invalid values. */
function appliedIn(outcome: EntriesChange | null) {
  if (outcome === null) throw new AppError('not_found');
  if (!('problems' in outcome)) return outcome;
  const errors = outcome.problems.slice(0, 20).map(({ position, reason }) => [`domains.${position}`, [reason]]);
  throw new AppError('validation_failed', { errors: Object.fromEntries(errors) });
}
