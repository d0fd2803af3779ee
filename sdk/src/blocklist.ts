import type { AnswerOf, Call, QueryOf } from './call.ts';
import { data } from './data.ts';
import { numberedPages } from './pages.ts';
import type { CallOptions } from './settings.ts';

/** A page of the blocklist. */
export type BlocklistPage = AnswerOf<'listBlocklist'>;
/** A domain on the blocklist. */
export type BlocklistEntry = BlocklistPage['data'][number];
/** The result of a bulk add. */
export type AddedMany = AnswerOf<'addManyToBlocklist'>;

/** The blocklist calls. */
export const blocklistCalls = (call: Call) => ({
  /** The entries, newest first: a page when awaited, all in `for await`. */
  list: (query: QueryOf<'listBlocklist'> = {}, options?: CallOptions) =>
    numberedPages((page: typeof query) => call('listBlocklist', { query: page }, options), query),
  /** Adds a domain; throws a ValidationError with the code `already_blocklisted` if it is already listed. */
  add: (domain: string, options?: CallOptions) => data(call('addToBlocklist', { body: { domain } }, options)),
  /** Adds up to 1,000 domains; the response lists added and rejected ones. */
  addMany: (domains: readonly string[], options?: CallOptions) =>
    call('addManyToBlocklist', { body: { domains } }, options),
  /** The entry of a domain; throws a NotFoundError when it is not listed. */
  get: (domain: string, options?: CallOptions) => data(call('getFromBlocklist', { path: { domain } }, options)),
  /** Removes a domain; throws a NotFoundError when it is not listed. */
  remove: async (domain: string, options?: CallOptions): Promise<void> =>
    void (await call('removeFromBlocklist', { path: { domain } }, options)),
});
