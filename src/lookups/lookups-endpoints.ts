import { AppError } from '../errors.ts';
import { type Call, type Endpoint, endpoint, type JsonText } from '../http/endpoint.ts';
import { nullable, type Properties, schema } from '../http/schema.ts';
import { addressSubject, domainSubject, type Subject } from '../signals/subject.ts';
import { whenSettled } from '../time/when-settled.ts';
import type { Lookup, LookupResult } from './lookup.ts';
import { type BodyOptions, domainText, emailText } from './lookup-body.ts';

/** The longest path value that is looked at; a longer one is malformed. */
const maxValueLength = 320;

interface LookupInput {
  readonly subject: Subject;
  readonly options: BodyOptions;
}

/** `GET /domain/{domain}` and `GET /email/{email}`. */
export function lookupsEndpoints(lookup: Lookup): Endpoint[] {
  const answer = (
    { subject, options }: LookupInput,
    { caller }: Call,
    body: (result: LookupResult, options: BodyOptions) => JsonText,
  ): JsonText | Promise<JsonText> => {
    return whenSettled(lookup(subject, caller, options), (result) => body(result, options));
  };
  const shared = { method: 'GET', family: 'lookup', plan: 'any', credits: 1 } as const;
  return [
    endpoint<LookupInput>({
      ...shared,
      path: '/domain/{domain}',
      operationId: 'lookupDomain',
      summary: 'Signals about a domain',
      schemas: { params: schema.object({ domain: schema.string() }), query: querySchema, response: domainSchema },
      errors: ['invalid_domain'],
      input: (call) => ({ subject: readDomain(call.params.domain ?? ''), options: bodyOptions(call) }),
      handle: (input, call) => answer(input, call, domainText),
    }),
    endpoint<LookupInput>({
      ...shared,
      path: '/email/{email}',
      operationId: 'lookupEmail',
      summary: 'Signals about an email address and its domain',
      schemas: { params: schema.object({ email: schema.string() }), query: querySchema, response: emailSchema },
      errors: ['invalid_email'],
      input: (call) => ({ subject: readAddress(call.params.email ?? ''), options: bodyOptions(call) }),
      handle: (input, call) => answer(input, call, emailText),
    }),
  ];
}

function readDomain(text: string): Subject {
  const subject = text.length > maxValueLength ? null : domainSubject(text, { trailingDot: true });
  if (subject === null) throw new AppError('invalid_domain');
  return subject;
}

function readAddress(text: string): Subject {
  const subject = text.length > maxValueLength ? null : addressSubject(text);
  if (subject === null) throw new AppError('invalid_email');
  return subject;
}

const nothing: ReadonlySet<string> = new Set();

function bodyOptions({ query, caller }: Call): BodyOptions {
  const { pro } = caller.plan;
  return {
    pro,
    includeMx: flag(query.include_mx, true),
    wait:
      query.wait === undefined
        ? nothing
        : new Set(
            String(query.wait)
              .split(',')
              .map((name) => name.trim()),
          ),
    explain: pro && flag(query.explain, false),
  };
}

/** `true`, `false`, `1`, `0` in any case; anything else means the default. */
function flag(given: string | readonly string[] | undefined, standard: boolean): boolean {
  if (typeof given !== 'string') return standard;
  const text = given.toLowerCase();
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  return standard;
}

const querySchema = schema.object({
  include_mx: schema.optional(
    schema.boolean({ default: true, description: 'False asks no MX question and leaves out mx and mx_records' }),
  ),
  wait: schema.optional(
    schema.string({
      description:
        'Comma-separated: domain_age_in_days, domain_authority. Holds the answer until they are resolved (Pro)',
    }),
  ),
  explain: schema.optional(
    schema.boolean({ default: false, description: 'Adds the reasons behind each signal (Pro)' }),
  ),
});

const pro = 'Pro only: left out on other plans';

const sharedSchemas: Properties = {
  domain: schema.string(),
  domain_authority: schema.optional(nullable('integer', { minimum: 0, maximum: 100, description: pro })),
  tld_trust: schema.optional(nullable('integer', { minimum: 1, maximum: 5, description: pro })),
  domain_age_in_days: nullable('integer', { minimum: 0 }),
  mx: schema.optional(nullable('boolean', { description: 'Left out when include_mx=false' })),
  mx_records: schema.optional(
    schema.array(schema.object({ hostname: schema.string(), priority: schema.integer() }), {
      description: 'Left out when include_mx=false',
    }),
  ),
  mx_providers: schema.array(schema.object({ slug: schema.string(), type: schema.string(), grade: schema.string() })),
  spf: nullable('string', {
    description: 'strict, relaxed, neutral, permissive, missing, invalid; null when not assessed',
  }),
  dmarc: nullable('string', { description: 'reject, quarantine, none, missing, invalid; null when not assessed' }),
  disposable: schema.boolean(),
  disposable_provider: schema.optional(nullable('string', { description: `Only when disposable is true. ${pro}` })),
  public_domain: schema.boolean(),
  relay_domain: schema.boolean(),
  free_subdomain: schema.boolean(),
  spam: schema.boolean(),
  did_you_mean: nullable('string'),
  blocklisted: schema.optional(schema.boolean({ description: pro })),
  explain: schema.optional({ type: 'object', additionalProperties: true, description: 'Only with explain=true' }),
};

const statusField = { status: schema.integer({ examples: [200] }) };
const domainSchema = schema.object({ ...statusField, ...sharedSchemas });
const emailSchema = schema.object({
  ...statusField,
  email: schema.string({ description: 'As submitted' }),
  normalized_email: schema.string({ description: 'An identity key, not a delivery address' }),
  ...sharedSchemas,
  alias: schema.boolean({ deprecated: true, description: 'The address contains a + tag' }),
  role_account: schema.boolean(),
});
