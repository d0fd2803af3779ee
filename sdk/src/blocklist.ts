import type { AnswerOf, Call, QueryOf } from './call.ts';
import { data } from './data.ts';
import { numberedPages } from './pages.ts';
import type { CallOptions } from './settings.ts';

/** A page of the blocklist. */
export type BlocklistPage = AnswerOf<'listBlocklist'>;
/** A domain on the blocklist. */
export type BlocklistEntry = BlocklistPage['data'][number];
/** What became of the domains that were added together. */
export type AddedMany = AnswerOf<'addManyToBlocklist'>;

/** The calls of the blocklist: one line an endpoint. */
export const blocklistCalls = (call: Call) => ({
  list: (query: QueryOf<'listBlocklist'> = {}, options?: CallOptions) =>
    numberedPages((page: typeof query) => call('listBlocklist', { query: page }, options), query),
  add: (domain: string, options?: CallOptions) => data(call('addToBlocklist', { body: { domain } }, options)),
  addMany: (domains: readonly string[], options?: CallOptions) =>
    call('addManyToBlocklist', { body: { domains } }, options),
  get: (domain: string, options?: CallOptions) => data(call('getFromBlocklist', { path: { domain } }, options)),
  remove: async (domain: string, options?: CallOptions): Promise<void> =>
    void (await call('removeFromBlocklist', { path: { domain } }, options)),
});
