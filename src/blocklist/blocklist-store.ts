import type { Transaction } from 'kysely';
import { recordOwnAct } from '../db/audit.ts';
import { recordChange } from '../db/changes.ts';
import type { Db } from '../db/db.ts';
import { pruneRemovals } from '../db/removals.ts';
import type { Schema } from '../db/schema.ts';
import type { SecretBox } from '../db/secret-box.ts';
import type { Author, Owner } from '../http/endpoint.ts';
import { scopeOf } from '../owner-scope.ts';
import { chunksOf } from '../platform/chunks-of.ts';
import { countEntries, positionOf } from './block-counts-store.ts';
import { type EntriesByDomain, entriesByDomain } from './entries-by-domain-store.ts';
import { blocklistTopic, changedReasons, findEntry, findList, type StoredEntry } from './stored-list-store.ts';

/** Domains added in one transaction, with consecutive numbers from `seq`. */
export interface Addition {
  readonly seq: number;
  readonly added: readonly string[];
  /** New domains that were not added because the list is full. */
  readonly withoutRoom: readonly string[];
  /** Listed domains that got another reason. */
  readonly changed: readonly string[];
}

/** Domains removed in one transaction, with consecutive numbers from `seq`. */
export interface Removal {
  readonly seq: number;
  readonly removed: readonly string[];
}

/** Domains to add to a list of at most `maxEntries`, some with a reason. */
export interface WantedDomains {
  readonly domains: readonly string[];
  readonly maxEntries: number;
  readonly reasons?: ReadonlyMap<string, string> | undefined;
}

/** Blocklists in the database. All domains are in ASCII form. */
export interface BlocklistStore {
  /**
   * Adds the unlisted ones among at most 1,000 distinct domains, in order, until the list holds `maxEntries`, and gives
   * listed ones the reasons that differ from theirs. Changes nothing if anything fails.
   */
  add(author: Author, wanted: WantedDomains, nowMs: number): Promise<Addition>;
  /** Removes the listed ones among at most 1,000 distinct domains; removes none if anything fails. */
  remove(author: Author, domains: readonly string[], nowMs: number): Promise<Removal>;
  find(owner: Owner, domain: string): Promise<StoredEntry | null>;
  /** Newest first, after skipping `skip` entries. */
  page(owner: Owner, skip: number, limit: number): Promise<{ total: number; entries: StoredEntry[] }>;
  /** Entries with a number above `seq`, oldest first. */
  after(owner: Owner, seq: number, limit: number): Promise<(StoredEntry & { readonly seq: number })[]>;
}

/** Rows per statement; SQLite blocks the event loop during a statement. */
const batchSize = 100;

export function createBlocklistStore(db: Db): BlocklistStore {
  const byDomain = entriesByDomain(db);
  return {
    add: (author, wanted, nowMs) => db.transaction((trx) => addDomains(trx, author, { ...wanted, byDomain }, nowMs)),
    async remove(author, domains, nowMs) {
      const [domain = ''] = domains;
      // Avoids a write transaction for most removals of unlisted domains.
      if (domains.length < 2 && (await findEntry(db, author, domain)) === null) return { seq: 0, removed: [] };
      return db.transaction((trx) => removeDomains(trx, author, { domains, byDomain, secrets: db.secrets }, nowMs));
    },
    find: (owner, domain) => findEntry(db, owner, domain),
    page: (owner, skip, limit) => db.snapshot((trx) => readPage(trx, owner, skip, limit)),
    after: (owner, seq, limit) => db.snapshot((trx) => readAfter(trx, owner, seq, limit)),
  };
}

async function addDomains(
  trx: Transaction<Schema>,
  author: Author,
  { domains, maxEntries, reasons = new Map(), byDomain }: WantedDomains & { readonly byDomain: EntriesByDomain },
  nowMs: number,
): Promise<Addition> {
  const list = await lockList(trx, author);
  const known = await byDomain.listed(trx, list.id, domains);
  const fresh = domains.filter((domain) => !known.has(domain));
  // A list can exceed its limit if the account moved to a smaller plan.
  const room = Math.max(0, maxEntries - list.total);
  const added = fresh.slice(0, room);
  const withoutRoom = fresh.slice(room);
  const seq = list.last_seq + 1;
  const changes = changedReasons(known, reasons);
  const changed = changes.map(({ domain }) => domain);
  if (changed.length > 0) {
    await byDomain.setReasons(trx, list.id, changes);
    await recordListAct(trx, author, { action: 'blocklist.changed', domains: changed }, nowMs);
  }
  if (added.length === 0) return { seq, added, withoutRoom, changed };
  const rows = added.map((domain, index) => ({
    list_id: list.id,
    seq: seq + index,
    domain,
    created_at: nowMs,
    reason: reasons.get(domain) ?? null,
  }));
  for (const batch of chunksOf(rows, batchSize)) await trx.insertInto('blocklist_entries').values(batch).execute();
  const seqs = rows.map((row) => row.seq);
  await countEntries(trx, list.id, seqs, 1);
  await advance(trx, list, { last_seq: list.last_seq + added.length, total: list.total + added.length });
  await recordListAct(trx, author, { action: 'blocklist.added', domains: added }, nowMs);
  await recordChange(trx, blocklistTopic, scopeOf(author), nowMs);
  return { seq, added, withoutRoom, changed };
}

interface DomainsToRemove {
  readonly domains: readonly string[];
  readonly byDomain: EntriesByDomain;
  readonly secrets: SecretBox;
}

async function removeDomains(
  trx: Transaction<Schema>,
  author: Author,
  { domains, byDomain, secrets }: DomainsToRemove,
  nowMs: number,
): Promise<Removal> {
  const list = await lockList(trx, author);
  const deleted = await byDomain.remove(trx, list.id, domains);
  const seq = list.last_seq + 1;
  if (deleted.length === 0) return { seq, removed: [] };
  const removed = deleted.map(({ domain }) => domain);
  const rows = removed.map((domain, index) => ({
    list_id: list.id,
    seq: seq + index,
    sealed_domain: secrets.seal(domain),
    removed_at: nowMs,
  }));
  for (const batch of chunksOf(rows, batchSize)) await trx.insertInto('blocklist_removals').values(batch).execute();
  const seqs = deleted.map((entry) => entry.seq);
  await countEntries(trx, list.id, seqs, -1);
  const pruned_through = await pruneRemovals(trx, 'blocklist_removals', list, { limit: 2 * deleted.length, nowMs });
  const next = { last_seq: list.last_seq + deleted.length, total: list.total - deleted.length, pruned_through };
  await advance(trx, list, next);
  await recordListAct(trx, author, { action: 'blocklist.removed', domains: removed }, nowMs);
  await recordChange(trx, blocklistTopic, scopeOf(author), nowMs);
  return { seq, removed };
}

/** The audit trail names this many domains, and counts all. */
const maxNamed = 10;

interface ListAct {
  readonly action: 'blocklist.added' | 'blocklist.changed' | 'blocklist.removed';
  readonly domains: readonly string[];
}

async function recordListAct(
  trx: Transaction<Schema>,
  author: Author,
  { action, domains }: ListAct,
  nowMs: number,
): Promise<void> {
  const detail = { count: domains.length, domains: domains.slice(0, maxNamed) };
  await recordOwnAct(trx, author, { action, subject: author.environment, detail }, nowMs);
}

interface LockedList {
  readonly id: number;
  readonly total: number;
  readonly last_seq: number;
  readonly pruned_through: number;
}

/** Creates the list's row if necessary, and locks it: this serialises the writers of a list, so that its numbers commit in order. */
function lockList(trx: Transaction<Schema>, { accountId, environment }: Owner): Promise<LockedList> {
  return trx
    .insertInto('blocklists')
    .values({ account_id: accountId, environment, total: 0, last_seq: 0, pruned_through: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'environment'])
        .doUpdateSet((row) => ({ last_seq: row.ref('blocklists.last_seq') })),
    )
    .returning(['id', 'total', 'last_seq', 'pruned_through'])
    .executeTakeFirstOrThrow();
}

async function advance(trx: Transaction<Schema>, { id }: LockedList, to: Partial<LockedList>): Promise<void> {
  await trx.updateTable('blocklists').set(to).where('id', '=', id).execute();
}

async function readPage(trx: Transaction<Schema>, owner: Owner, skip: number, limit: number) {
  const list = await findList(trx, owner);
  if (list === undefined || skip >= list.total) return { total: list?.total ?? 0, entries: [] };
  const position = await positionOf(trx, list.id, skip);
  const entries = await trx
    .selectFrom('blocklist_entries')
    .select(['domain', 'created_at as createdAtMs', 'reason'])
    .where('list_id', '=', list.id)
    .where('seq', '<=', position.seq)
    .orderBy('seq', 'desc')
    .limit(limit)
    .offset(position.skip)
    .execute();
  return { total: list.total, entries };
}

async function readAfter(trx: Transaction<Schema>, owner: Owner, seq: number, limit: number) {
  const list = await findList(trx, owner);
  if (list === undefined) return [];
  return trx
    .selectFrom('blocklist_entries')
    .select(['seq', 'domain', 'created_at as createdAtMs', 'reason'])
    .where('list_id', '=', list.id)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}
