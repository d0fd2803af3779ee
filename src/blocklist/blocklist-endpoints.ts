import { dataOf, field, listOf, nested, optional, time, wireOf } from '../http/answers/wire-fields.ts';
import { type Endpoint, endpoint, type Owner } from '../http/endpoint.ts';
import { schema } from '../input/schema.ts';
import type { Blocklist, BlocklistEntry, BulkResult, EntryPage } from './blocklist.ts';
import { domainInput, domainsInput, type PageQuery, pageQuery } from './blocklist-input.ts';
import { pageLinks } from './page-links.ts';
import { refusalMessage } from './refusals.ts';

/** An entry as a response body. */
export const entryBody = wireOf<BlocklistEntry>({
  domain: field(
    schema.string({ description: 'Normalised: lower case, internationalised names in punycode' }),
    ({ domain }) => domain,
  ),
  unicode_domain: optional(
    field(schema.string({ description: 'The readable form; only when it differs from `domain`' }), (entry) =>
      entry.unicode === entry.domain ? undefined : entry.unicode,
    ),
  ),
  created_at: time(({ createdAtMs }) => createdAtMs, { description: 'When the domain was added' }),
  reason: optional(
    field(
      schema.string({ description: 'Why it is listed; only when an import had a reason' }),
      ({ reason }) => reason ?? undefined,
    ),
  ),
});

const url = schema.nullable(schema.string());

/** A page of entries with the links to the others. */
interface ShownPage extends EntryPage {
  readonly path: string;
  readonly asked: PageQuery;
  readonly lastPage: number;
  readonly links: ReturnType<typeof pageLinks>;
}

const skippedBefore = ({ asked }: ShownPage): number => (asked.page - 1) * asked.perPage;

const pageBody = wireOf<ShownPage>({
  data: nested(listOf(entryBody), ({ entries }) => entries),
  'links.first': field(schema.string(), ({ links }) => links.first),
  'links.last': field(schema.string(), ({ links }) => links.last),
  'links.prev': field(url, ({ links }) => links.prev),
  'links.next': field(url, ({ links }) => links.next),
  'meta.current_page': field(schema.integer(), ({ asked }) => asked.page),
  'meta.from': field(schema.integer(), (page) => (page.entries.length === 0 ? 0 : skippedBefore(page) + 1)),
  'meta.last_page': field(schema.integer(), ({ lastPage }) => lastPage),
  'meta.links': field(
    schema.array(schema.object({ url, label: schema.string(), active: schema.boolean() })),
    ({ links }) => links.all,
  ),
  'meta.path': field(schema.string(), ({ path }) => path),
  'meta.per_page': field(schema.integer(), ({ asked }) => asked.perPage),
  'meta.to': field(schema.integer(), (page) =>
    page.entries.length === 0 ? 0 : skippedBefore(page) + page.entries.length,
  ),
  'meta.total': field(schema.integer(), ({ total }) => total),
});

/** The result of adding many, and the most entries that the plan allows. */
interface ShownBulk extends BulkResult {
  readonly maxEntries: number;
}

const errorSchema = schema.object({ domain: schema.string(), error: schema.string() });

const bulkBody = wireOf<ShownBulk>({
  succeeded: field(schema.integer(), ({ added }) => added.length),
  failed: field(schema.integer(), ({ refused }) => refused.length),
  success: nested(listOf(entryBody), ({ added }) => added),
  errors: field(schema.array(errorSchema), ({ refused, maxEntries }) =>
    refused.map(({ value, reason }) => ({ domain: value, error: refusalMessage(reason, maxEntries) })),
  ),
});

const removedBody = wireOf<undefined>({ message: field(schema.string(), () => 'Domain removed from blocklist') });

/** Properties shared by all blocklist endpoints. */
export const blocklistShared = { family: 'blocklist', plan: 'pro', credits: 0 } as const;

/** The five endpoints under `/blocklist`. */
export function blocklistEndpoints(blocklist: Blocklist): Endpoint[] {
  return [...listEndpoints(blocklist), ...entryEndpoints(blocklist)];
}

const wholeList = { ...blocklistShared, path: '/blocklist' } as const;

/** `GET`, `POST /blocklist`, `POST /blocklist/bulk`. */
function listEndpoints(blocklist: Blocklist): Endpoint[] {
  return [
    endpoint({
      ...wholeList,
      method: 'GET',
      operationId: 'listBlocklist',
      tool: { name: 'list_blocklist', access: 'read' },
      summary: "The blocklisted domains of the key's environment, newest first",
      query: pageQuery,
      response: pageBody,
      errors: [],
      handle: ({ query: asked }, { caller, baseUrl }) => readPage(blocklist, caller, asked, `${baseUrl}/blocklist`),
    }),
    endpoint({
      ...wholeList,
      method: 'POST',
      operationId: 'addToBlocklist',
      tool: {
        name: 'add_to_blocklist',
        access: 'write',
        guide: 'Matches this name only: add each subdomain separately.',
      },
      summary: 'Add a domain',
      status: 201,
      body: domainInput,
      response: dataOf(entryBody),
      errors: ['validation_failed', 'invalid_domain', 'already_blocklisted', 'blocklist_full'],
      handle: ({ body: domain }, { author, caller }) => blocklist.add(author, domain, caller.plan.blocklistEntries),
    }),
    endpoint({
      ...blocklistShared,
      method: 'POST',
      path: '/blocklist/bulk',
      operationId: 'addManyToBlocklist',
      tool: { name: 'add_many_to_blocklist', access: 'write' },
      summary: 'Add up to 1,000 domains',
      description: 'Adds every valid new domain in one transaction; `errors` lists the others.',
      body: domainsInput,
      response: bulkBody,
      errors: ['validation_failed'],
      async handle({ body: domains }, { author, caller }) {
        const maxEntries = caller.plan.blocklistEntries;
        return { ...(await blocklist.addMany(author, domains, maxEntries)), maxEntries };
      },
    }),
  ];
}

async function readPage(blocklist: Blocklist, owner: Owner, asked: PageQuery, path: string): Promise<ShownPage> {
  const page = await blocklist.page(owner, (asked.page - 1) * asked.perPage, asked.perPage);
  const lastPage = Math.max(1, Math.ceil(page.total / asked.perPage));
  return { ...page, path, asked, lastPage, links: pageLinks(path, asked, lastPage) };
}

const oneEntry = { ...blocklistShared, path: '/blocklist/{domain}' } as const;

/** `GET`, `DELETE /blocklist/{domain}`. */
function entryEndpoints(blocklist: Blocklist): Endpoint[] {
  return [
    endpoint({
      ...oneEntry,
      method: 'GET',
      operationId: 'getFromBlocklist',
      tool: { name: 'read_blocklist_entry', access: 'read' },
      summary: 'Whether and since when a domain is blocklisted',
      response: dataOf(entryBody),
      errors: ['domain_not_listed'],
      handle: ({ params }, { caller }) => blocklist.find(caller, params.domain),
    }),
    endpoint({
      ...oneEntry,
      method: 'DELETE',
      operationId: 'removeFromBlocklist',
      tool: { name: 'remove_from_blocklist', access: 'write' },
      summary: 'Remove a domain',
      response: removedBody,
      errors: ['domain_not_listed'],
      async handle({ params }, { author }) {
        await blocklist.remove(author, params.domain);
        return undefined;
      },
    }),
  ];
}
