import type { Transaction } from 'kysely';
import { recordAct } from '../db/audit.ts';
import { recordChange } from '../db/changes.ts';
import type { Db } from '../db/db.ts';
import type { Schema } from '../db/schema.ts';
import type { Author, Owner } from '../http/endpoint.ts';
import { countEntries, positionOf } from './block-counts-store.ts';
import { blocklistTopic, findEntry, findList, type StoredEntry, scopeOf } from './stored-list-store.ts';

/** Domains that were added together, with consecutive numbers from `seq`. */
export interface Addition {
  readonly seq: number;
  readonly added: readonly string[];
  /** Those that are neither listed nor added, because the list is full. */
  readonly withoutRoom: readonly string[];
}

/** Domains that were removed together, with consecutive numbers from `seq`. */
export interface Removal {
  readonly seq: number;
  readonly removed: readonly string[];
}

/** Blocklists in the database. Domains come and go in their ASCII form. */
export interface BlocklistStore {
  /**
   * Adds those of at most 1,000 different domains that are not listed, in their order and until the list holds
   * `maxEntries`; all of these or, when something fails, none.
   */
  add(author: Author, domains: readonly string[], maxEntries: number, nowMs: number): Promise<Addition>;
  /** Removes those of at most 1,000 different domains that are listed; all of these or, when something fails, none. */
  remove(author: Author, domains: readonly string[], nowMs: number): Promise<Removal>;
  find(owner: Owner, domain: string): Promise<StoredEntry | null>;
  /** Newest first, after leaving out `skip`. */
  page(owner: Owner, skip: number, limit: number): Promise<{ total: number; entries: StoredEntry[] }>;
  /** Oldest first, those with a number after `seq`. */
  after(owner: Owner, seq: number, limit: number): Promise<(StoredEntry & { readonly seq: number })[]>;
}

/** How long removals are kept for instances that have not seen them; an instance that is later reads the whole list again. */
const removalsKeptMs = 3_600_000;
/** Rows in one statement: others are served between two statements, not during one. */
const rowsAtOnce = 100;

export function createBlocklistStore(db: Db): BlocklistStore {
  return {
    add: (author, domains, maxEntries, nowMs) =>
      db.transaction((trx) => addDomains(trx, author, domains, maxEntries, nowMs)),
    async remove(author, domains, nowMs) {
      const [domain = ''] = domains;
      // Most removals of what is not there end here, without a turn at writing.
      if (domains.length < 2 && (await findEntry(db, author, domain)) === null) return { seq: 0, removed: [] };
      return db.transaction((trx) => removeDomains(trx, author, domains, nowMs));
    },
    find: (owner, domain) => findEntry(db, owner, domain),
    page: (owner, skip, limit) => db.snapshot((trx) => readPage(trx, owner, skip, limit)),
    after: (owner, seq, limit) => db.snapshot((trx) => readAfter(trx, owner, seq, limit)),
  };
}

async function addDomains(
  trx: Transaction<Schema>,
  author: Author,
  domains: readonly string[],
  maxEntries: number,
  nowMs: number,
): Promise<Addition> {
  const list = await holdList(trx, author);
  const known = await listedOf(trx, list.id, domains);
  const fresh = domains.filter((domain) => !known.has(domain));
  // A list can hold more than it may: the account's plan was larger before.
  const room = Math.max(0, maxEntries - list.total);
  const added = fresh.slice(0, room);
  const withoutRoom = fresh.slice(room);
  const seq = list.last_seq + 1;
  if (added.length === 0) return { seq, added, withoutRoom };
  const rows = added.map((domain, index) => ({ list_id: list.id, seq: seq + index, domain, created_at: nowMs }));
  for (const some of slices(rows)) await trx.insertInto('blocklist_entries').values(some).execute();
  const seqs = rows.map((row) => row.seq);
  await countEntries(trx, list.id, seqs, 1);
  await advance(trx, list, { last_seq: list.last_seq + added.length, total: list.total + added.length });
  await recordListAct(trx, author, 'blocklist.added', added, nowMs);
  await recordChange(trx, blocklistTopic, scopeOf(author), nowMs);
  return { seq, added, withoutRoom };
}

async function listedOf(
  trx: Transaction<Schema>,
  listId: number,
  domains: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const some of slices(domains)) {
    const listed = await trx
      .selectFrom('blocklist_entries')
      .select('domain')
      .where('list_id', '=', listId)
      .where('domain', 'in', some)
      .execute();
    for (const { domain } of listed) known.add(domain);
  }
  return known;
}

function* slices<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += rowsAtOnce) yield items.slice(start, start + rowsAtOnce);
}

async function removeDomains(
  trx: Transaction<Schema>,
  author: Author,
  domains: readonly string[],
  nowMs: number,
): Promise<Removal> {
  const list = await holdList(trx, author);
  const gone: { seq: number; domain: string }[] = [];
  for (const some of slices(domains)) {
    const removing = trx.deleteFrom('blocklist_entries').where('list_id', '=', list.id).where('domain', 'in', some);
    gone.push(...(await removing.returning(['seq', 'domain']).execute()));
  }
  const seq = list.last_seq + 1;
  if (gone.length === 0) return { seq, removed: [] };
  const removed = gone.map(({ domain }) => domain);
  const rows = removed.map((domain, index) => ({ list_id: list.id, seq: seq + index, domain, removed_at: nowMs }));
  for (const some of slices(rows)) await trx.insertInto('blocklist_removals').values(some).execute();
  await countEntries(
    trx,
    list.id,
    gone.map((entry) => entry.seq),
    -1,
  );
  const pruned_through = await forgetOldRemovals(trx, list, 2 * gone.length, nowMs);
  const left = { last_seq: list.last_seq + gone.length, total: list.total - gone.length, pruned_through };
  await advance(trx, list, left);
  await recordListAct(trx, author, 'blocklist.removed', removed, nowMs);
  await recordChange(trx, blocklistTopic, scopeOf(author), nowMs);
  return { seq, removed };
}

/** How many domains the trail names; of more it keeps only the number. */
const namedAtMost = 10;

async function recordListAct(
  trx: Transaction<Schema>,
  { by, accountId, environment }: Author,
  action: 'blocklist.added' | 'blocklist.removed',
  domains: readonly string[],
  nowMs: number,
): Promise<void> {
  const detail = { count: domains.length, domains: domains.slice(0, namedAtMost) };
  await recordAct(trx, by, { action, subject: environment, accountId, environment, detail }, nowMs);
}

interface HeldList {
  readonly id: number;
  readonly total: number;
  readonly last_seq: number;
  readonly pruned_through: number;
}

/** The list's row, made if need be and locked: writers of one list follow each other, and its numbers commit in order. */
function holdList(trx: Transaction<Schema>, { accountId, environment }: Owner): Promise<HeldList> {
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

async function advance(trx: Transaction<Schema>, { id }: HeldList, to: Partial<HeldList>): Promise<void> {
  await trx.updateTable('blocklists').set(to).where('id', '=', id).execute();
}

/** Forgets at most two of the oldest removals for each new one, so that the work is spread; returns up to which number they are gone. */
async function forgetOldRemovals(
  trx: Transaction<Schema>,
  list: HeldList,
  most: number,
  nowMs: number,
): Promise<number> {
  const oldest = await trx
    .selectFrom('blocklist_removals')
    .select(['seq', 'removed_at'])
    .where('list_id', '=', list.id)
    .orderBy('seq')
    .limit(most)
    .execute();
  const expired = oldest.filter((row) => row.removed_at < nowMs - removalsKeptMs).map((row) => row.seq);
  if (expired.length === 0) return list.pruned_through;
  await trx.deleteFrom('blocklist_removals').where('list_id', '=', list.id).where('seq', 'in', expired).execute();
  return Math.max(list.pruned_through, ...expired);
}

async function readPage(trx: Transaction<Schema>, owner: Owner, skip: number, limit: number) {
  const list = await findList(trx, owner);
  if (list === undefined || skip >= list.total) return { total: list?.total ?? 0, entries: [] };
  const position = await positionOf(trx, list.id, skip);
  const rows = await trx
    .selectFrom('blocklist_entries')
    .select(['domain', 'created_at'])
    .where('list_id', '=', list.id)
    .where('seq', '<=', position.seq)
    .orderBy('seq', 'desc')
    .limit(limit)
    .offset(position.skip)
    .execute();
  return { total: list.total, entries: rows.map((row) => ({ domain: row.domain, createdAtMs: row.created_at })) };
}

async function readAfter(trx: Transaction<Schema>, owner: Owner, seq: number, limit: number) {
  const list = await findList(trx, owner);
  if (list === undefined) return [];
  const rows = await trx
    .selectFrom('blocklist_entries')
    .select(['seq', 'domain', 'created_at'])
    .where('list_id', '=', list.id)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ seq: row.seq, domain: row.domain, createdAtMs: row.created_at }));
}
