import type { ApiPromise } from './api-promise.ts';
import type { AnswerOf, Call, QueryOf } from './call.ts';
import type { CallOptions } from './settings.ts';

/** Signals of a domain. */
export interface DomainSignals extends AnswerOf<'lookupDomain'> {}
/** Signals of an email address and its domain. */
export interface EmailSignals extends AnswerOf<'lookupEmail'> {}
/** Plan, usage and remaining credits. */
export interface Status extends AnswerOf<'getStatus'> {}

/** The query of a lookup; `wait` may be a list of names. */
export type LookupQuery = Omit<QueryOf<'lookupEmail'>, 'wait'> & { wait?: string | readonly string[] | undefined };

const asQuery = (query: LookupQuery) => ({ ...query, wait: query.wait?.toString() });

/** The calls that look something up. */
export const lookupCalls = (call: Call) => ({
  email: (email: string, query: LookupQuery = {}, options?: CallOptions): ApiPromise<EmailSignals> =>
    call('lookupEmail', { path: { email }, query: asQuery(query) }, options),
  domain: (domain: string, query: LookupQuery = {}, options?: CallOptions): ApiPromise<DomainSignals> =>
    call('lookupDomain', { path: { domain }, query: asQuery(query) }, options),
  status: (options?: CallOptions): ApiPromise<Status> => call('getStatus', {}, options),
});
