import { type JsonSchema, nullable, oneOf, schema } from '../../http/schema.ts';
import { actions } from '../rules/action.ts';

/** An object that may be null, in one schema without a branch. */
function nullableObject(properties: Record<string, JsonSchema>, options: object = {}): JsonSchema {
  return { ...schema.object(properties), type: ['object', 'null'], ...options };
}

function nullableList(items: JsonSchema): JsonSchema {
  return { type: ['array', 'null'], items, description: 'Null is unknown; an empty list is not' };
}

const detection = schema.object({ detected: nullable('boolean') });

const emailSchema = nullableObject(
  {
    address: nullable('string'),
    normalized: nullable('string'),
    local_part: nullable('string'),
    local_part_length: schema.integer(),
    subaddress: nullable('string'),
    disposable: nullable('boolean', { description: 'The address alone' }),
    role_account: nullable('boolean'),
  },
  { description: 'Null for a domain input' },
);

const domainSchema = schema.object({
  name: schema.string(),
  registrable: nullable('string'),
  tld: nullable('string'),
  sld: nullable('string'),
  subdomain: nullable('string'),
  domain_authority: nullable('integer'),
  tld_trust: nullable('integer'),
  age_days: nullable('integer'),
  mx: nullable('boolean'),
  mx_records: nullableList(schema.object({ hostname: schema.string(), priority: schema.integer() })),
  mx_providers: nullableList(schema.object({ slug: schema.string(), type: schema.string(), grade: schema.string() })),
  spf: nullable('string'),
  dmarc: nullable('string'),
  disposable: nullable('boolean'),
  disposable_provider: nullable('string'),
  public_domain: nullable('boolean'),
  relay_domain: nullable('boolean'),
  free_subdomain: nullable('boolean'),
  spam: nullable('boolean'),
  did_you_mean: nullable('string'),
  blocklisted: nullable('boolean'),
});

const ipSchema = nullableObject(
  {
    address: schema.string(),
    abuse: detection,
    anonymity: schema.object({ proxy: detection, relay: detection, tor: detection, vpn: detection }),
    hosting: detection,
    geo: schema.object({
      country: nullable('string'),
      country_code: nullable('string'),
      continent: nullable('string'),
      continent_code: nullable('string'),
      city: nullable('string'),
    }),
    network: schema.object({
      asn: nullable('integer'),
      aso: nullable('string'),
      domain: nullable('string'),
      type: nullable('string'),
    }),
  },
  { description: 'Null when no ip was sent' },
);

const answer = {
  input: schema.object({
    email: schema.optional(schema.string()),
    domain: schema.optional(schema.string()),
    ip: schema.optional(schema.string()),
  }),
  decision: schema.object({
    action: oneOf(actions),
    matched_rule: nullableObject(
      { id: schema.string(), name: schema.string(), message: nullable('string') },
      { description: 'Null when no rule matched and the default action applied' },
    ),
  }),
  signals: schema.object({ email: emailSchema, domain: domainSchema, ip: ipSchema }),
  meta: schema.object({
    version: schema.string(),
    request_id: schema.string(),
    decision_id: schema.string(),
    duration_ms: schema.number(),
    created_at: schema.string(),
  }),
};

/** The body of a question to a gate. */
export const decisionRequestSchema = schema.object({
  email: schema.optional(schema.string({ description: 'The address to decide about; or send domain' })),
  domain: schema.optional(schema.string({ description: 'The domain to decide about; or send email' })),
  ip: schema.optional(nullable('string', { description: 'The address of the visitor; costs 2 credits more' })),
  wait: schema.optional(
    schema.array(schema.string(), {
      description: 'Hold the answer until these are resolved: domain_age_in_days, domain_authority',
    }),
  ),
});

/** The answer of a decision. */
export const decisionSchema = schema.object(answer);

/** An entry of the decision log. */
export const logEntrySchema = schema.object({ id: schema.string(), ...answer });
