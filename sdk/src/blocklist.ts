import { type ApiPromise, data, mapped } from './api-promise.ts';
import type { AnswerOf, Call, ItemOf, QueryOf } from './call.ts';
import { numberedPages, type Pages } from './pages.ts';
import type { CallOptions } from './settings.ts';

/** A page of the blocklist. */
export interface BlocklistPage extends AnswerOf<'listBlocklist'> {
  data: BlocklistEntry[];
}
/** A domain on the blocklist. */
export interface BlocklistEntry extends ItemOf<'listBlocklist'> {}
/** The result of a bulk add. */
export interface AddedMany extends AnswerOf<'addManyToBlocklist'> {}

/** The blocklist calls. */
export const blocklistCalls = (call: Call) => ({
  /** The entries, newest first: a page when awaited, all in `for await`. */
  list: (query: QueryOf<'listBlocklist'> = {}, options?: CallOptions): Pages<BlocklistPage> =>
    numberedPages((page: typeof query) => call('listBlocklist', { query: page }, options), query),
  /** Adds a domain; throws a ValidationError with the code `already_blocklisted` if it is already listed. */
  add: (domain: string, options?: CallOptions): ApiPromise<BlocklistEntry> =>
    data(call('addToBlocklist', { body: { domain } }, options)),
  /** Adds up to 1,000 domains; the response lists added and rejected ones. */
  addMany: (domains: readonly string[], options?: CallOptions): ApiPromise<AddedMany> =>
    call('addManyToBlocklist', { body: { domains } }, options),
  /** The entry of a domain; throws a NotFoundError when it is not listed. */
  get: (domain: string, options?: CallOptions): ApiPromise<BlocklistEntry> =>
    data(call('getFromBlocklist', { path: { domain } }, options)),
  /** Removes a domain; throws a NotFoundError when it is not listed. */
  remove: (domain: string, options?: CallOptions): ApiPromise<void> =>
    mapped(call('removeFromBlocklist', { path: { domain } }, options), () => undefined),
});
