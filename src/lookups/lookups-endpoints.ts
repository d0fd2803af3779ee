import { AppError } from '../errors.ts';
import { type Call, type Endpoint, endpoint, type JsonText } from '../http/endpoint.ts';
import { schema } from '../http/schema.ts';
import { addressSubject, domainSubject, type Subject } from '../signals/subject.ts';
import { whenSettled } from '../time/when-settled.ts';
import type { Lookup, LookupResult } from './lookup.ts';
import { type BodyOptions, domainText, emailText } from './lookup-body.ts';
import { domainSchema, emailSchema } from './lookup-schema.ts';

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
