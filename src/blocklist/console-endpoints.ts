import { asciiLabels } from '../address/ascii-labels.ts';
import { field, listOf, nested, pageOf, same, wireOf } from '../http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { into } from '../input/input.ts';
import { list } from '../input/list.ts';
import { defaulted, object, optional } from '../input/object.ts';
import { once, parsed, query } from '../input/parameter.ts';
import { integer, type Limit, text } from '../input/scalar.ts';
import { schema } from '../input/schema.ts';
import { chunksOf } from '../platform/chunks-of.ts';
import { type Blocklist, type BlocklistEntry, toEntry } from './blocklist.ts';
import { blocklistShared, entryBody } from './blocklist-endpoints.ts';
import { type PastedDomains, readPasted } from './pasted-domains.ts';
import type { SearchStore } from './search-store.ts';
import { changedReasons } from './stored-list-store.ts';

const maxRemoved = 1_000;
const importBatch = 1_000;
const exportPage = 10_000;

/** The console's blocklist endpoints, in addition to the public ones. */
export function blocklistConsoleEndpoints(blocklist: Blocklist, store: SearchStore): Endpoint[] {
  return [
    searchEndpoint(store),
    previewEndpoint(store),
    importEndpoint(blocklist),
    removeEndpoint(blocklist),
    exportEndpoint(store),
  ];
}

const shared = { ...blocklistShared, access: 'session', reserved: true } as const;

interface Found {
  readonly entries: readonly BlocklistEntry[];
  readonly complete: boolean;
}

const foundBody = wireOf<Found>({
  data: nested(listOf(entryBody), ({ entries }) => entries),
  'meta.complete': field(schema.boolean(), ({ complete }) => complete),
});

/** The changes that an import of pasted lines makes. */
interface ImportCounts extends PastedDomains {
  readonly added: number;
  readonly listed: number;
  readonly changed: number;
  readonly full: number;
}

const wrongSchema = schema.object({ line: schema.integer(), text: schema.string(), error: schema.string() });

/** A preview calls the added domains `new`. */
const pastedBody = (added: 'new' | 'added') =>
  wireOf<ImportCounts>({
    [added]: field(schema.integer(), (counts) => counts.added),
    ...same<ImportCounts>({
      listed: schema.integer(),
      changed: schema.integer({ description: 'Listed domains that get another reason' }),
      repeated: schema.integer(),
      full: schema.integer({ description: 'Domains that do not fit into the list' }),
    }),
    wrong_count: field(schema.integer(), ({ wrongCount }) => wrongCount),
    ...same<ImportCounts>({ wrong: schema.array(wrongSchema) }),
  });

interface Removed {
  readonly removed: readonly string[];
  readonly missing: readonly string[];
}

const removedBody = wireOf<Removed>(
  same<Removed>({ removed: schema.array(schema.string()), missing: schema.array(schema.string()) }),
);

interface Exported {
  readonly domain: string;
  readonly reason: string | null;
}

const exportedBody = wireOf<Exported>(
  same<Exported>({ domain: schema.string(), reason: schema.nullable(schema.string()) }),
);

function searchEndpoint(store: SearchStore): Endpoint {
  const limit = once(integer('The limit', { minimum: 1, maximum: 100 }), (sent) =>
    /^\d{1,3}$/.test(sent) ? Number(sent) : sent,
  );
  return endpoint({
    ...shared,
    method: 'GET',
    path: '/blocklist/search',
    operationId: 'searchBlocklist',
    summary: 'Entries that contain a text',
    query: query({
      q: parsed('a part of a domain, 1 to 253 characters', (sent) => {
        const part = sent.trim();
        return part.length > 0 && part.length <= 253 ? asciiLabels(part) : null;
      }),
      limit: defaulted(limit, 25),
    }),
    response: foundBody,
    errors: ['validation_failed'],
    async handle({ query: { q, limit: max } }, { caller }) {
      const { entries, complete } = await store.search(caller, q, max);
      return { entries: entries.map(toEntry), complete };
    },
  });
}

const pastedInput = into(object({ text: text('The text field') }), ({ text: pasted }) => pasted);

function previewEndpoint(store: SearchStore): Endpoint {
  return endpoint({
    ...shared,
    method: 'POST',
    path: '/blocklist/preview',
    operationId: 'previewBlocklist',
    summary: 'Preview an import of pasted lines; read-only',
    body: pastedInput,
    response: pastedBody('new'),
    errors: ['validation_failed'],
    async handle({ body }, { caller }) {
      const pasted = await readPasted(body);
      const listed = await store.listed(caller, pasted.domains);
      const added = pasted.domains.length - listed.size;
      const room = Math.max(0, caller.plan.blocklistEntries - (await store.total(caller)));
      const changed = changedReasons(listed, pasted.reasons).length;
      return { ...pasted, added, listed: listed.size, changed, full: Math.max(0, added - room) };
    },
  });
}

function importEndpoint(blocklist: Blocklist): Endpoint {
  return endpoint({
    ...shared,
    method: 'POST',
    path: '/blocklist/import',
    operationId: 'importBlocklist',
    summary: 'Import the domains of pasted lines, in batches of 1,000',
    body: pastedInput,
    response: pastedBody('added'),
    errors: ['validation_failed'],
    async handle({ body }, { author, caller }) {
      const pasted = await readPasted(body);
      const counts = { added: 0, listed: 0, changed: 0, full: 0 };
      for (const batch of chunksOf(pasted.domains, importBatch)) {
        const max = caller.plan.blocklistEntries;
        const { added, refused, changed } = await blocklist.addMany(author, batch, max, pasted.reasons);
        const full = refused.filter(({ reason }) => reason === 'blocklist_full').length;
        counts.added += added.length;
        counts.changed += changed;
        counts.full += full;
        counts.listed += refused.length - full;
      }
      return { ...pasted, ...counts };
    },
  });
}

const notTooMany: Limit<readonly unknown[]> = {
  schema: { maxItems: maxRemoved },
  holds: ({ length }) => length <= maxRemoved,
  problem: (label) => `${label} must not have more than ${maxRemoved} items.`,
};

function removeEndpoint(blocklist: Blocklist): Endpoint {
  return endpoint({
    ...shared,
    method: 'POST',
    path: '/blocklist/remove',
    operationId: 'removeManyFromBlocklist',
    summary: 'Remove up to 1,000 domains',
    body: into(
      object({
        domains: list('The domains field', text('Each domain'), { expected: 'an array', limits: [notTooMany] }),
      }),
      ({ domains }) => domains,
    ),
    response: removedBody,
    errors: ['validation_failed'],
    handle: ({ body: domains }, { author }) => blocklist.removeMany(author, domains),
  });
}

function exportEndpoint(store: SearchStore): Endpoint {
  return endpoint({
    ...shared,
    method: 'GET',
    path: '/blocklist/export',
    operationId: 'exportBlocklist',
    load: 'job',
    summary: 'Every domain with its reason, oldest first, 10,000 per page',
    query: query({
      cursor: optional(
        parsed('meta.next_cursor of the previous page', (sent) => (/^\d{1,15}$/.test(sent) ? Number(sent) : null)),
      ),
    }),
    response: pageOf(exportedBody),
    errors: ['validation_failed'],
    async handle({ query: { cursor = 0 } }, { caller }) {
      const rows = await store.after(caller, cursor, exportPage);
      const last = rows.length === exportPage ? rows.at(-1) : undefined;
      return {
        data: rows,
        meta: { next_cursor: last === undefined ? null : String(last.seq) },
      };
    },
  });
}
