import type { ApiPromise } from './api-promise.ts';
import type { AnswerOf, Call, QueryOf } from './call.ts';
import type { CallOptions } from './settings.ts';

/** What is known about a domain. */
export interface DomainSignals extends AnswerOf<'lookupDomain'> {}
/** What is known about an email address and its domain. */
export interface EmailSignals extends AnswerOf<'lookupEmail'> {}
/** Plan, usage and remaining credits. */
export interface Status extends AnswerOf<'getStatus'> {}

/** What a lookup may be asked; the names to wait for may come as a list. */
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
