import { errorTable } from '../errors.ts';
import { type Call, type Endpoint, endpoint } from '../http/endpoint.ts';
import { nullable, schema } from '../http/schema.ts';
import { wireTime } from '../http/wire-time.ts';
import type { Blocklist, BlocklistEntry, BulkResult, EntryPage } from './blocklist.ts';
import { domainField, domainsField, type PageQuery, pageQuery } from './blocklist-input.ts';
import { pageLinks } from './page-links.ts';

const entrySchema = schema.object({
  domain: schema.string({ description: 'Normalised: lower case, internationalised names in punycode' }),
  unicode_domain: schema.optional(
    schema.string({ description: 'The readable form; only when it differs from `domain`' }),
  ),
  created_at: schema.string({ description: 'When the domain was added' }),
});
const dataSchema = schema.object({ data: entrySchema });
const url = nullable('string');
const listSchema = schema.object({
  data: schema.array(entrySchema),
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
  success: schema.array(entrySchema),
  errors: schema.array(schema.object({ domain: schema.string(), error: schema.string() })),
});
const params = schema.object({ domain: schema.string() });
const shared = { family: 'blocklist', plan: 'pro', credits: 0 } as const;

/** The five endpoints under `/blocklist`. */
export function blocklistEndpoints(blocklist: Blocklist): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/blocklist',
      operationId: 'listBlocklist',
      summary: "The blocklisted domains of the key's environment, newest first",
      schemas: {
        query: schema.object({
          page: schema.optional(schema.integer({ minimum: 1, default: 1 })),
          per_page: schema.optional(schema.integer({ default: 25, description: 'Clamped to 1 to 100' })),
        }),
        response: listSchema,
      },
      errors: [],
      input: ({ query }) => pageQuery(query),
      handle: async (asked, call) =>
        wirePage(await blocklist.page(call.caller, (asked.page - 1) * asked.perPage, asked.perPage), asked, call),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/blocklist',
      operationId: 'addToBlocklist',
      summary: 'Add a domain',
      status: 201,
      schemas: { body: schema.object({ domain: schema.string() }), response: dataSchema },
      errors: ['validation_failed', 'invalid_domain', 'already_blocklisted'],
      input: ({ body }) => domainField(body),
      handle: async (domain, { caller }) => ({ data: wireEntry(await blocklist.add(caller, domain)) }),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/blocklist/bulk',
      operationId: 'addManyToBlocklist',
      summary: 'Add up to 1,000 domains',
      description: 'What can be added is added, all in one transaction; the rest is listed in `errors`.',
      schemas: {
        body: schema.object({ domains: schema.array(schema.string(), { minItems: 1, maxItems: 1_000 }) }),
        response: bulkSchema,
      },
      errors: ['validation_failed'],
      input: ({ body }) => domainsField(body),
      handle: async (domains, { caller }) => wireBulk(await blocklist.addMany(caller, domains)),
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/blocklist/{domain}',
      operationId: 'getFromBlocklist',
      summary: 'Whether a domain is blocklisted, and since when',
      schemas: { params, response: dataSchema },
      errors: ['domain_not_listed'],
      input: ({ params: { domain = '' } }) => domain,
      handle: async (domain, { caller }) => ({ data: wireEntry(await blocklist.find(caller, domain)) }),
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/blocklist/{domain}',
      operationId: 'removeFromBlocklist',
      summary: 'Remove a domain',
      schemas: { params, response: schema.object({ message: schema.string() }) },
      errors: ['domain_not_listed'],
      input: ({ params: { domain = '' } }) => domain,
      async handle(domain, { caller }) {
        await blocklist.remove(caller, domain);
        return { message: 'Domain removed from blocklist' };
      },
    }),
  ];
}

function wireEntry({ domain, unicode, createdAtMs }: BlocklistEntry) {
  return {
    domain,
    ...(unicode === domain ? {} : { unicode_domain: unicode }),
    created_at: wireTime(createdAtMs),
  };
}

function wireBulk({ added, refused }: BulkResult) {
  return {
    succeeded: added.length,
    failed: refused.length,
    success: added.map(wireEntry),
    errors: refused.map(({ value, reason }) => ({ domain: value, error: errorTable[reason].message })),
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
