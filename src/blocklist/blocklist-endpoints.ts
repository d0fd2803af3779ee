import { type Call, type Endpoint, endpoint } from '../http/endpoint.ts';
import { wireTime } from '../http/wire-time.ts';
import { schema } from '../input/schema.ts';
import type { Blocklist, BlocklistEntry, BulkResult, EntryPage } from './blocklist.ts';
import { domainInput, domainsInput, type PageQuery, pageQuery } from './blocklist-input.ts';
import { pageLinks } from './page-links.ts';
import { refusalMessage } from './refusals.ts';

export const blocklistEntrySchema = schema.object({
  domain: schema.string({ description: 'Normalised: lower case, internationalised names in punycode' }),
  unicode_domain: schema.optional(
    schema.string({ description: 'The readable form; only when it differs from `domain`' }),
  ),
  created_at: schema.string({ description: 'When the domain was added' }),
  reason: schema.optional(schema.string({ description: 'Why it is listed; only when an import had a reason' })),
});
const dataSchema = schema.object({ data: blocklistEntrySchema });
const url = schema.nullable(schema.string());
const listSchema = schema.object({
  data: schema.array(blocklistEntrySchema),
  links: schema.object({ first: schema.string(), last: schema.string(), prev: url, next: url }),
  meta: schema.object({
    current_page: schema.integer(),
    from: schema.integer(),
    last_page: schema.integer(),
    links: schema.array(schema.object({ url, label: schema.string(), active: schema.boolean() })),
    path: schema.string(),
    per_page: schema.integer(),
    to: schema.integer(),
    total: schema.integer(),
  }),
});
const bulkSchema = schema.object({
  succeeded: schema.integer(),
  failed: schema.integer(),
  success: schema.array(blocklistEntrySchema),
  errors: schema.array(schema.object({ domain: schema.string(), error: schema.string() })),
});
/** Properties shared by all blocklist endpoints. */
export const blocklistShared = { family: 'blocklist', plan: 'pro', credits: 0 } as const;

/** The five endpoints under `/blocklist`. */
export function blocklistEndpoints(blocklist: Blocklist): Endpoint[] {
  return [
    endpoint({
      ...blocklistShared,
      method: 'GET',
      path: '/blocklist',
      operationId: 'listBlocklist',
      tool: { name: 'list_blocklist', access: 'read' },
      summary: "The blocklisted domains of the key's environment, newest first",
      query: pageQuery,
      response: listSchema,
      errors: [],
      handle: async ({ query: asked }, call) =>
        wirePage(await blocklist.page(call.caller, (asked.page - 1) * asked.perPage, asked.perPage), asked, call),
    }),
    endpoint({
      ...blocklistShared,
      method: 'POST',
      path: '/blocklist',
      operationId: 'addToBlocklist',
      tool: {
        name: 'add_to_blocklist',
        access: 'write',
        guide: 'Matches this name only: add each subdomain separately.',
      },
      summary: 'Add a domain',
      status: 201,
      body: domainInput,
      response: dataSchema,
      errors: ['validation_failed', 'invalid_domain', 'already_blocklisted', 'blocklist_full'],
      handle: async ({ body: domain }, { author, caller }) => ({
        data: wireEntry(await blocklist.add(author, domain, caller.plan.blocklistEntries)),
      }),
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
      response: bulkSchema,
      errors: ['validation_failed'],
      async handle({ body: domains }, { author, caller }) {
        const maxEntries = caller.plan.blocklistEntries;
        return wireBulk(await blocklist.addMany(author, domains, maxEntries), maxEntries);
      },
    }),
    endpoint({
      ...blocklistShared,
      method: 'GET',
      path: '/blocklist/{domain}',
      operationId: 'getFromBlocklist',
      tool: { name: 'read_blocklist_entry', access: 'read' },
      summary: 'Whether and since when a domain is blocklisted',
      response: dataSchema,
      errors: ['domain_not_listed'],
      handle: async ({ params }, { caller }) => ({ data: wireEntry(await blocklist.find(caller, params.domain)) }),
    }),
    endpoint({
      ...blocklistShared,
      method: 'DELETE',
      path: '/blocklist/{domain}',
      operationId: 'removeFromBlocklist',
      tool: { name: 'remove_from_blocklist', access: 'write' },
      summary: 'Remove a domain',
      response: schema.object({ message: schema.string() }),
      errors: ['domain_not_listed'],
      async handle({ params }, { author }) {
        await blocklist.remove(author, params.domain);
        return { message: 'Domain removed from blocklist' };
      },
    }),
  ];
}

/** An entry as a response body. */
export function wireEntry({ domain, unicode, createdAtMs, reason }: BlocklistEntry) {
  return {
    domain,
    ...(unicode === domain ? {} : { unicode_domain: unicode }),
    created_at: wireTime(createdAtMs),
    ...(reason === null ? {} : { reason }),
  };
}

function wireBulk({ added, refused }: BulkResult, maxEntries: number) {
  return {
    succeeded: added.length,
    failed: refused.length,
    success: added.map(wireEntry),
    errors: refused.map(({ value, reason }) => ({ domain: value, error: refusalMessage(reason, maxEntries) })),
  };
}

function wirePage({ total, entries }: EntryPage, asked: PageQuery, { baseUrl }: Call) {
  const path = `${baseUrl}/blocklist`;
  const lastPage = Math.max(1, Math.ceil(total / asked.perPage));
  const { all, ...links } = pageLinks(path, asked, lastPage);
  const skipped = (asked.page - 1) * asked.perPage;
  const isEmpty = entries.length === 0;
  return {
    data: entries.map(wireEntry),
    links,
    meta: {
      current_page: asked.page,
      from: isEmpty ? 0 : skipped + 1,
      last_page: lastPage,
      links: all,
      path,
      per_page: asked.perPage,
      to: isEmpty ? 0 : skipped + entries.length,
      total,
    },
  };
}
