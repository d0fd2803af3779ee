import { AppError } from '../errors.ts';
import type { WireText } from '../http/answers/wire-object.ts';
import { type Call, type Caller, type Endpoint, endpoint, type JsonText } from '../http/endpoint.ts';
import { nextStage, stage } from '../http/timing/stage-times.ts';
import { type Input, into } from '../input/input.ts';
import { optional } from '../input/object.ts';
import { lenient, query } from '../input/parameter.ts';
import { type JsonSchema, type OptionalProperty, type Properties, schema } from '../input/schema.ts';
import { addressSubject, domainSubject, type Subject } from '../signals/subject.ts';
import type { Lookup, LookupResult } from './lookup.ts';
import { type BodyOptions, domainText, emailText } from './lookup-body.ts';
import { addressFields, domainFields, type LookupField } from './lookup-fields.ts';

/** The schema of a signal in a lookup. A list is never null there: unknown is empty. */
function fieldSchema({ signal, place }: LookupField): JsonSchema | OptionalProperty {
  const { enum: values, ...wire } = { enum: undefined, ...signal.schema };
  const description = [
    ...(place.note === undefined ? [] : [place.note]),
    ...(values === undefined ? [] : [`${values.join(', ')}; null when not assessed`]),
    ...(place.needsMx ? ['Omitted when include_mx=false'] : []),
    ...(place.onlyWith === undefined ? [] : [`Only when ${place.onlyWith} is true.`]),
    ...(signal.pro ? ['Pro only: omitted on other plans'] : []),
  ].join(' ');
  const field = {
    ...wire,
    type: place.always || wire.type === 'array' ? wire.type : [wire.type, 'null'],
    ...(place.deprecated ? { deprecated: true } : {}),
    ...(description === '' ? {} : { description }),
  };
  const canBeMissing = signal.pro || place.needsMx || place.onlyWith !== undefined;
  return canBeMissing ? schema.optional(field) : field;
}

const properties = (fields: readonly LookupField[]): Properties =>
  Object.fromEntries(
    fields.flatMap((field) => [
      [field.place.name, fieldSchema(field)],
      ...Object.entries(properties(field.dependents)),
    ]),
  );

const status = { status: schema.integer({ examples: [200] }) };
const ofDomain: Properties = {
  domain: schema.string(),
  ...properties(domainFields),
  explain: schema.optional({ type: 'object', additionalProperties: true, description: 'Only with explain=true' }),
};

/** `lookup-body.ts` writes the text from the same fields. */
const textOf = (body: JsonSchema): WireText<JsonText> => ({ schema: body, text: ({ text }) => text });

/** The body of `GET /domain/{domain}`. */
const domainBody = textOf(schema.object({ ...status, ...ofDomain }));

/** The body of `GET /email/{email}`. */
const emailBody = textOf(
  schema.object({
    ...status,
    email: schema.string({ description: 'As submitted' }),
    ...properties(addressFields),
    ...ofDomain,
  }),
);

/** The query of a lookup. */
interface LookupQuery {
  readonly includeMx: boolean;
  /** Hold the answer for these slow facts. */
  readonly wait: ReadonlySet<string>;
  readonly explain: boolean;
}

/** `true`, `false`, `1`, `0` in any case; anything else means the default. */
function flag(standard: boolean, description: string): Input<boolean> {
  return lenient(schema.boolean({ default: standard, description }), (sent) => {
    const text = typeof sent === 'string' ? sent.toLowerCase() : '';
    if (text === 'true' || text === '1') return true;
    return text === 'false' || text === '0' ? false : standard;
  });
}

const names = lenient(
  schema.string({
    description:
      'Comma-separated: domain_age_in_days, domain_authority. Delays the response until they are resolved (Pro)',
  }),
  (sent): ReadonlySet<string> =>
    new Set(
      String(sent)
        .split(',')
        .map((name) => name.trim()),
    ),
);

const nothing: ReadonlySet<string> = new Set();

/** The query of a lookup: an invalid value counts as absent, never as an error. */
const lookupQuery: Input<LookupQuery> = into(
  query({
    include_mx: optional(flag(true, 'False skips the MX query and omits mx and mx_records')),
    wait: optional(names),
    explain: optional(flag(false, 'Adds the reasons behind each signal (Pro)')),
  }),
  ({ include_mx = true, wait = nothing, explain = false }) => ({ includeMx: include_mx, wait, explain }),
);

/** The maximum length of a path value; a longer one is malformed. */
const maxValueLength = 320;

/** Called for every answered lookup. */
export type OnLookup = (result: LookupResult, caller: Caller) => void;

/** How many answered lookups had a known or unknown `mx`. */
export interface MxCounts {
  known: number;
  unknown: number;
}

/** `GET /domain/{domain}` and `GET /email/{email}`. */
export function lookupsEndpoints(lookup: Lookup, onLookup: OnLookup, mxCounts: MxCounts): Endpoint[] {
  const answer = (
    subject: Subject,
    { includeMx, wait, explain }: LookupQuery,
    { caller, stages }: Call,
    body: (result: LookupResult, options: BodyOptions) => JsonText,
  ): JsonText | Promise<JsonText> => {
    const { pro } = caller.plan;
    const options = { pro, includeMx, wait, explain: pro && explain };
    if (options.explain) stages.report();
    stages.enter(stage.facts);
    return nextStage(stages, stage.decide, lookup(subject, caller, options), (result) => {
      if (includeMx) mxCounts[result.sources.facts.mx.known ? 'known' : 'unknown'] += 1;
      onLookup(result, caller);
      return body(result, options);
    });
  };
  const shared = {
    method: 'GET',
    family: 'lookup',
    plan: 'any',
    credits: 1,
    anonymous: true,
    load: 'light',
    query: lookupQuery,
  } as const;
  return [
    endpoint({
      ...shared,
      path: '/domain/{domain}',
      operationId: 'lookupDomain',
      tool: {
        name: 'lookup_domain',
        access: 'read',
        guide: 'Answers with the reasons behind each signal in explain. Null is unknown, not false.',
        fixed: { explain: 'true' },
      },
      summary: 'Signals about a domain',
      response: domainBody,
      errors: ['invalid_domain'],
      target: ({ params }) => readDomain(params.domain),
      handle: ({ query }, call, subject) => answer(subject, query, call, domainText),
    }),
    endpoint({
      ...shared,
      path: '/email/{email}',
      operationId: 'lookupEmail',
      tool: {
        name: 'lookup_email',
        access: 'read',
        guide: 'Answers with the reasons behind each signal in explain. Null is unknown, not false.',
        fixed: { explain: 'true' },
      },
      summary: 'Signals about an email address and its domain',
      response: emailBody,
      errors: ['invalid_email'],
      target: ({ params }) => readAddress(params.email),
      handle: ({ query }, call, subject) => answer(subject, query, call, emailText),
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
