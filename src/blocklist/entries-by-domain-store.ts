import { sql, type Transaction } from 'kysely';
import type { Db } from '../db/db.ts';
import { rowsParameter } from '../db/rows.ts';
import type { Schema } from '../db/schema.ts';
import { chunksOf } from '../platform/chunks-of.ts';

/** Finds, changes and removes entries of a list by their domains. */
export interface EntriesByDomain {
  /** The listed ones among domains, with their reasons. */
  listed(from: Db['read'], listId: number, domains: readonly string[]): Promise<Map<string, string | null>>;
  setReasons(trx: Transaction<Schema>, listId: number, changes: readonly ChangedReason[]): Promise<void>;
  remove(trx: Transaction<Schema>, listId: number, domains: readonly string[]): Promise<RemovedEntry[]>;
}

export interface ChangedReason {
  readonly domain: string;
  readonly reason: string;
}

interface RemovedEntry {
  readonly seq: number;
  readonly domain: string;
}

/** Domains in one statement, which takes the embedded database a millisecond. */
const batchSize = 500;

/**
 * The id of the list is passed with every domain, so that SQLite looks up each domain. It has no statistics and expects ten
 * entries in a list: with the id as a constant, it would read the whole list for every statement.
 */
export function entriesByDomain(db: Pick<Db, 'engine'>): EntriesByDomain {
  const passed = rowsParameter(db, { list_id: 'integer', domain: 'text', reason: 'text' });
  const batchesOf = function* (listId: number, changes: readonly { domain: string; reason: string | null }[]) {
    for (const batch of chunksOf(changes, batchSize))
      yield passed.table(batch.map((change) => ({ list_id: listId, ...change })));
  };
  const withoutReasons = (domains: readonly string[]) => domains.map((domain) => ({ domain, reason: null }));
  return {
    async listed(from, listId, domains) {
      const listed = new Map<string, string | null>();
      for (const given of batchesOf(listId, withoutReasons(domains))) {
        const { rows } = await sql<{ domain: string; reason: string | null }>`
          select entries.domain, entries.reason from ${given} given
          join blocklist_entries entries on entries.list_id = given.list_id and entries.domain = given.domain`.execute(
          from,
        );
        for (const { domain, reason } of rows) listed.set(domain, reason);
      }
      return listed;
    },
    async setReasons(trx, listId, changes) {
      for (const given of batchesOf(listId, changes)) {
        await sql`update blocklist_entries set reason = given.reason from ${given} given
          where blocklist_entries.list_id = given.list_id and blocklist_entries.domain = given.domain`.execute(trx);
      }
    },
    async remove(trx, listId, domains) {
      const removed: RemovedEntry[] = [];
      for (const given of batchesOf(listId, withoutReasons(domains))) {
        const { rows } = await sql<RemovedEntry>`delete from blocklist_entries
          where (list_id, domain) in (select given.list_id, given.domain from ${given} given)
          returning seq, domain`.execute(trx);
        removed.push(...rows);
      }
      return removed;
    },
  };
}
