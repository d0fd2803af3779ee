import { type ExpressionBuilder, sql } from 'kysely';
import type { Db } from '../db/db.ts';
import { ownedBy } from '../db/owned-by.ts';
import type { Schema } from '../db/schema.ts';
import type { Owner } from '../http/endpoint.ts';
import { entriesByDomain } from './entries-by-domain-store.ts';
import { findList, type StoredEntry } from './stored-list-store.ts';

/** The result of a search. */
export interface Found {
  readonly entries: readonly StoredEntry[];
  /** False when only the beginnings of domains were searched, because the list is very long. */
  readonly complete: boolean;
}

/** Searches and reads of an owner's list. */
export interface SearchStore {
  /** Entries that contain a text, those that start with it first. */
  search(owner: Owner, text: string, limit: number): Promise<Found>;
  /** The listed ones among `domains`, with their reasons. */
  listed(owner: Owner, domains: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
  /** The number of entries. */
  total(owner: Owner): Promise<number>;
  /** Entries with a number above `seq`, oldest first. */
  after(owner: Owner, seq: number, limit: number): Promise<{ domain: string; seq: number; reason: string | null }[]>;
}

/** If reads block the process, a longer list is searched only by prefix, through its index. */
const maxScanned = 50_000;

export function createSearchStore(db: Db): SearchStore {
  const byDomain = entriesByDomain(db);
  const entriesOf = ({ accountId, environment }: Owner) =>
    db.read
      .selectFrom('blocklists')
      .innerJoin('blocklist_entries', 'blocklist_entries.list_id', 'blocklists.id')
      .where(ownedBy({ accountId, environment }, 'blocklists'));
  const total = async ({ accountId, environment }: Owner): Promise<number> => {
    const query = db.read.selectFrom('blocklists').select('total').where('account_id', '=', accountId);
    return (await query.where('environment', '=', environment).executeTakeFirst())?.total ?? 0;
  };
  return {
    async search(owner, text, limit) {
      const complete = !db.blocksWhileReading || (await total(owner)) <= maxScanned;
      // No domain has a character after `z`, so this range holds every domain that starts with the text, and SQLite can use its index.
      const begins = (eb: Entries) => eb.and([eb('domain', '>=', text), eb('domain', '<', `${text}~`)]);
      const has = sql<boolean>`domain like ${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`} escape '\\'`;
      const entries = await entriesOf(owner)
        .select(['domain', 'blocklist_entries.created_at as createdAtMs', 'reason'])
        .where((eb) => (complete ? has : begins(eb)))
        .orderBy(sql`case when substr(domain, 1, ${text.length}) = ${text} then 0 else 1 end`)
        .orderBy('domain')
        .limit(limit)
        .execute();
      return { entries, complete };
    },
    async listed(owner, domains) {
      const list = await findList(db.read, owner);
      return list === undefined ? new Map() : byDomain.listed(db.read, list.id, domains);
    },
    total,
    after: (owner, seq, limit) =>
      entriesOf(owner).select(['domain', 'seq', 'reason']).where('seq', '>', seq).orderBy('seq').limit(limit).execute(),
  };
}

type Entries = ExpressionBuilder<Schema, 'blocklists' | 'blocklist_entries'>;
