import { AppError } from '../errors.ts';
import { type Call, type Caller, type Endpoint, endpoint, type JsonText } from '../http/endpoint.ts';
import { nextStage, stage } from '../http/timing/stage-times.ts';
import { addressSubject, domainSubject, type Subject } from '../signals/subject.ts';
import type { Lookup, LookupResult } from './lookup.ts';
import { type BodyOptions, domainText, emailText } from './lookup-body.ts';
import { type LookupQuery, lookupQuery } from './lookup-query.ts';
import { domainSchema, emailSchema } from './lookup-schema.ts';

/** The longest path value that is looked at; a longer one is malformed. */
const maxValueLength = 320;

/** Called for every answered lookup. */
export type OnLookup = (result: LookupResult, caller: Caller) => void;

/** `GET /domain/{domain}` and `GET /email/{email}`. */
export function lookupsEndpoints(lookup: Lookup, onLookup: OnLookup): Endpoint[] {
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
      response: domainSchema,
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
      response: emailSchema,
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
