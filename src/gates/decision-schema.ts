import { type TSchema, Type } from 'typebox';
import { nullable, oneOf } from '../http/schema.ts';
import { actions } from './action.ts';

/** An object that may be null, in one schema without a branch. */
function nullableObject(properties: Record<string, TSchema>, options: object = {}): TSchema {
  return Type.Unsafe<unknown>({ ...Type.Object(properties), type: ['object', 'null'], ...options });
}

function nullableList(items: TSchema): TSchema {
  return Type.Unsafe<unknown>({ type: ['array', 'null'], items, description: 'Null is unknown; an empty list is not' });
}

const detection = Type.Object({ detected: nullable('boolean') });

const emailSchema = nullableObject(
  {
    address: nullable('string'),
    normalized: nullable('string'),
    local_part: nullable('string'),
    local_part_length: Type.Integer(),
    subaddress: nullable('string'),
    disposable: nullable('boolean', { description: 'The address alone' }),
    role_account: nullable('boolean'),
  },
  { description: 'Null for a domain input' },
);

const domainSchema = Type.Object({
  name: Type.String(),
  registrable: nullable('string'),
  tld: nullable('string'),
  sld: nullable('string'),
  subdomain: nullable('string'),
  domain_authority: nullable('integer'),
  tld_trust: nullable('integer'),
  age_days: nullable('integer'),
  mx: nullable('boolean'),
  mx_records: nullableList(Type.Object({ hostname: Type.String(), priority: Type.Integer() })),
  mx_providers: nullableList(Type.Object({ slug: Type.String(), type: Type.String(), grade: Type.String() })),
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
    address: Type.String(),
    abuse: detection,
    anonymity: Type.Object({ proxy: detection, relay: detection, tor: detection, vpn: detection }),
    hosting: detection,
    geo: Type.Object({
      country: nullable('string'),
      country_code: nullable('string'),
      continent: nullable('string'),
      continent_code: nullable('string'),
      city: nullable('string'),
    }),
    network: Type.Object({
      asn: nullable('integer'),
      aso: nullable('string'),
      domain: nullable('string'),
      type: nullable('string'),
    }),
  },
  { description: 'Null when no ip was sent' },
);

const answer = {
  input: Type.Object({
    email: Type.Optional(Type.String()),
    domain: Type.Optional(Type.String()),
    ip: Type.Optional(Type.String()),
  }),
  decision: Type.Object({
    action: oneOf(actions),
    matched_rule: nullableObject(
      { id: Type.String(), name: Type.String(), message: nullable('string') },
      { description: 'Null when no rule matched and the default action applied' },
    ),
  }),
  signals: Type.Object({ email: emailSchema, domain: domainSchema, ip: ipSchema }),
  meta: Type.Object({
    version: Type.String(),
    request_id: Type.String(),
    decision_id: Type.String(),
    duration_ms: Type.Number(),
    created_at: Type.String(),
  }),
};

/** The body of a question to a gate. */
export const decisionRequestSchema = Type.Object({
  email: Type.Optional(Type.String({ description: 'The address to decide about; or send domain' })),
  domain: Type.Optional(Type.String({ description: 'The domain to decide about; or send email' })),
  ip: Type.Optional(nullable('string', { description: 'The address of the visitor; costs 2 credits more' })),
  wait: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Hold the answer until these are resolved: domain_age_in_days, domain_authority',
    }),
  ),
});

/** The answer of a decision. */
export const decisionSchema = Type.Object(answer);

/** An entry of the decision log. */
export const logEntrySchema = Type.Object({ id: Type.String(), ...answer });
