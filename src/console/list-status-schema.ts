import { schema } from '../input/schema.ts';

const counts = schema.record(schema.integer());

/** An edition of IP data that a package brings. */
const ipPackage = schema.object({
  source: schema.string(),
  version: schema.string(),
  date: schema.nullable(schema.string()),
  licence: schema.string(),
  attribution: schema.string(),
});

const sourceSchema = schema.object({
  name: schema.string(),
  version: schema.string(),
  date: schema.nullable(schema.string()),
  count: schema.integer(),
  licence: schema.string(),
  old: schema.boolean(),
  alone: schema.nullable(
    schema.integer({ description: 'Names that no other source has; null for a source that names no domains' }),
  ),
});

const downloadSchema = schema.object({
  source: schema.string(),
  enabled: schema.boolean(),
  url: schema.string(),
  licence: schema.string(),
  fetched_at: schema.nullable(schema.string()),
  checked_at: schema.nullable(schema.string()),
  edition: schema.nullable(
    schema.object({ date: schema.string(), from: schema.oneOf(['file', 'server', 'download']) }),
  ),
  count: schema.integer(),
  problem: schema.nullable(schema.string()),
  every_hours: schema.number(),
  late: schema.nullable(schema.boolean(), {
    description: 'Null when the source is disabled or nothing is refreshed automatically',
  }),
});

/** The response of `GET /lists`. */
export const listStatusSchema = schema.object({
  built_at: schema.string(),
  fingerprint: schema.string(),
  size_bytes: schema.integer(),
  counts,
  expected_recall: schema.nullable(schema.object({ share: schema.number(), edition: schema.string() }), {
    description:
      'The share of the disposable domains of the last half year that lists of this age have; null when it is unknown',
  }),
  sources: schema.array(sourceSchema),
  downloads: schema.array(downloadSchema),
  ranks: schema.object({
    source: schema.nullable(schema.string()),
    built_at: schema.nullable(schema.string()),
    date: schema.nullable(schema.string()),
    count: schema.integer(),
    seed_count: schema.integer(),
  }),
  ip: schema.object({
    country: ipPackage,
    networks: schema.nullable(ipPackage),
    files: schema.array(
      schema.object({
        file: schema.string(),
        state: schema.oneOf(['absent', 'used', 'refused']),
        contents: { type: ['object', 'null'] },
        taken_at: schema.nullable(schema.string()),
        reason: schema.nullable(schema.string()),
      }),
    ),
  }),
  operator: counts,
  instances: schema.array(
    schema.object({
      host: schema.string(),
      version: schema.string(),
      fingerprint: schema.string(),
      built_at: schema.string(),
      seen_at: schema.string(),
    }),
  ),
  problems: schema.array(schema.object({ reason: schema.string() })),
  refresh: schema.oneOf(['daily', 'off']),
  offline: schema.boolean(),
});
