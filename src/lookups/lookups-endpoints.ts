import { type TSchema, Type } from 'typebox';
import { parseAddress } from '../address/address.ts';
import { parseDomain } from '../address/domain.ts';
import { AppError } from '../errors.ts';
import { type Call, type Endpoint, endpoint } from '../http/endpoint.ts';
import { nullable } from '../http/schema.ts';
import type { Subject } from '../signals/subject.ts';
import type { Lookup, LookupResult } from './lookup.ts';
import { type BodyOptions, domainText, emailBody } from './lookup-body.ts';

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
    body: (result: LookupResult, options: BodyOptions) => object,
  ): object | Promise<object> => {
    const result = lookup(subject, caller, options);
    return result instanceof Promise ? result.then((settled) => body(settled, options)) : body(result, options);
  };
  const shared = { method: 'GET', family: 'lookup', plan: 'any', credits: 1 } as const;
  return [
    endpoint<LookupInput>({
      ...shared,
      path: '/domain/{domain}',
      operationId: 'lookupDomain',
      summary: 'Signals about a domain',
      schemas: { params: Type.Object({ domain: Type.String() }), query: querySchema, response: domainSchema },
      errors: ['invalid_domain'],
      input: (call) => ({ subject: domainSubject(call.params.domain ?? ''), options: bodyOptions(call) }),
      handle: (input, call) => answer(input, call, domainText),
    }),
    endpoint<LookupInput>({
      ...shared,
      path: '/email/{email}',
      operationId: 'lookupEmail',
      summary: 'Signals about an email address and its domain',
      schemas: { params: Type.Object({ email: Type.String() }), query: querySchema, response: emailSchema },
      errors: ['invalid_email'],
      input: (call) => ({ subject: addressSubject(call.params.email ?? ''), options: bodyOptions(call) }),
      handle: (input, call) => answer(input, call, emailBody),
    }),
  ];
}

function domainSubject(text: string): Subject {
  const domain = text.length > maxValueLength ? null : parseDomain(text, { trailingDot: true });
  if (domain === null) throw new AppError('invalid_domain');
  return { domain, address: null };
}

function addressSubject(text: string): Subject {
  const address = text.length > maxValueLength ? null : parseAddress(text);
  if (address === null) throw new AppError('invalid_email');
  return { domain: address.domain, address };
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

const querySchema = Type.Object({
  include_mx: Type.Optional(
    Type.Boolean({ default: true, description: 'False asks no MX question and leaves out mx and mx_records' }),
  ),
  wait: Type.Optional(
    Type.String({
      description:
        'Comma-separated: domain_age_in_days, domain_authority. Holds the answer until they are resolved (Pro)',
    }),
  ),
  explain: Type.Optional(Type.Boolean({ default: false, description: 'Adds the reasons behind each signal (Pro)' })),
});

const pro = 'Pro only: left out on other plans';

const sharedSchemas: Record<string, TSchema> = {
  domain: Type.String(),
  domain_authority: Type.Optional(nullable('integer', { minimum: 0, maximum: 100, description: pro })),
  tld_trust: Type.Optional(nullable('integer', { minimum: 1, maximum: 5, description: pro })),
  domain_age_in_days: nullable('integer', { minimum: 0 }),
  mx: Type.Optional(nullable('boolean', { description: 'Left out when include_mx=false' })),
  mx_records: Type.Optional(
    Type.Array(Type.Object({ hostname: Type.String(), priority: Type.Integer() }), {
      description: 'Left out when include_mx=false',
    }),
  ),
  mx_providers: Type.Array(Type.Object({ slug: Type.String(), type: Type.String(), grade: Type.String() })),
  spf: nullable('string', {
    description: 'strict, relaxed, neutral, permissive, missing, invalid; null when not assessed',
  }),
  dmarc: nullable('string', { description: 'reject, quarantine, none, missing, invalid; null when not assessed' }),
  disposable: Type.Boolean(),
  disposable_provider: Type.Optional(nullable('string', { description: `Only when disposable is true. ${pro}` })),
  public_domain: Type.Boolean(),
  relay_domain: Type.Boolean(),
  free_subdomain: Type.Boolean(),
  spam: Type.Boolean(),
  did_you_mean: nullable('string'),
  blocklisted: Type.Optional(Type.Boolean({ description: pro })),
  explain: Type.Optional(
    Type.Unsafe<unknown>({ type: 'object', additionalProperties: true, description: 'Only with explain=true' }),
  ),
};

const statusField = { status: Type.Integer({ examples: [200] }) };
const domainSchema = Type.Object({ ...statusField, ...sharedSchemas });
const emailSchema = Type.Object({
  ...statusField,
  email: Type.String({ description: 'As submitted' }),
  normalized_email: Type.String({ description: 'An identity key, not a delivery address' }),
  ...sharedSchemas,
  alias: Type.Boolean({ deprecated: true, description: 'The address contains a + tag' }),
  role_account: Type.Boolean(),
});
