import type { AnswerOf, Call, QueryOf } from './call.ts';
import type { CallOptions } from './settings.ts';

/** What is known about a domain. */
export type DomainSignals = AnswerOf<'lookupDomain'>;
/** What is known about an email address and its domain. */
export type EmailSignals = AnswerOf<'lookupEmail'>;
/** Plan, usage and remaining credits. */
export type Status = AnswerOf<'getStatus'>;

/** What a lookup may be asked; the names to wait for may come as a list. */
export type LookupQuery = Omit<QueryOf<'lookupEmail'>, 'wait'> & { wait?: string | readonly string[] | undefined };

const asQuery = (query: LookupQuery) => ({ ...query, wait: query.wait?.toString() });

/** The calls that look something up. */
export const lookupCalls = (call: Call) => ({
  email: (email: string, query: LookupQuery = {}, options?: CallOptions) =>
    call('lookupEmail', { path: { email }, query: asQuery(query) }, options),
  domain: (domain: string, query: LookupQuery = {}, options?: CallOptions) =>
    call('lookupDomain', { path: { domain }, query: asQuery(query) }, options),
  status: (options?: CallOptions) => call('getStatus', {}, options),
});
