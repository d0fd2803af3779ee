import { sql, type Transaction } from 'kysely';
import type { ActorKind } from '../actor.ts';
import { recordChange } from '../db/changes.ts';
import type { Db } from '../db/db.ts';
import { pruneRemovals } from '../db/removals.ts';
import { lockRows } from '../db/row-locks.ts';
import type { Schema } from '../db/schema.ts';
import type { SecretBox } from '../db/secret-box.ts';
import type { Author } from '../http/endpoint.ts';
import { scopeOf } from '../owner-scope.ts';
import { chunksOf } from '../platform/chunks-of.ts';
import type { KeyChange } from '../platform/followed-sets.ts';
import { yieldToEventLoop } from '../platform/yielding.ts';
import type { EntryLimits, ListEntry, NewEntry } from './custom-list.ts';
import { customListsTopic, expiredCounts, ownLists, recordListAct } from './custom-lists-store.ts';
import { accountBytes, bytesOf, storedBytes, totalBytes } from './entry-bytes-store.ts';
import { expiredShownMs, trimExpired } from './purge-store.ts';

/** The result of a write: null when the list is missing, a limit when nothing was changed because it was reached. */
export type EntriesWritten = { readonly added: number; readonly updated: number; readonly changes: KeyChange[] };

/** The limit of the list, or of all lists of the account. */
export type LimitReached = 'full' | 'account_full';

type WriteResult = EntriesWritten | LimitReached | null;

/** Entries to write to a list within limits. */
export interface WantedEntries {
  readonly entries: readonly NewEntry[];
  readonly limits: EntryLimits;
}

export interface ListEntriesStore {
  /** Adds entries with distinct keys, and changes those whose key is listed; all or none. */
  put(author: Author, listId: string, wanted: WantedEntries, nowMs: number): Promise<WriteResult>;
  /** Removes the listed ones among distinct keys. */
  remove(author: Author, listId: string, keys: readonly string[], nowMs: number): Promise<KeyChange[] | null>;
  /** How many of these keys have an entry that has not expired, and the size of all that have one. */
  known(listId: string, keys: readonly string[], nowMs: number): Promise<{ live: number; bytes: number }>;
  /** Newest first, those added before `beforeNo`; only entries that match `search` where it is given. */
  page(listId: string, page: EntriesPage, nowMs: number): Promise<ListEntry[]>;
  /** Every entry that has not expired, oldest first, so that an import of them restores their order. */
  all(listId: string, nowMs: number): AsyncGenerator<ListEntry>;
}

/** Selects the entries of a page. */
export interface EntriesPage {
  readonly beforeNo: number | null;
  readonly limit: number;
  /** A text that value or note contains, and the key it has if it is a value. */
  readonly search: { readonly text: string; readonly key: string | null } | null;
}

/** Rows per statement; SQLite blocks the event loop during a statement. */
const batchSize = 100;

export function createListEntriesStore(db: Db): ListEntriesStore {
  return {
    put: (author, listId, wanted, nowMs) =>
      db.transaction(async (trx) => {
        const list = await lockList(trx, db, author, listId);
        return list === undefined ? null : putEntries(trx, author, { list, ...wanted }, nowMs);
      }),
    remove: (author, listId, keys, nowMs) =>
      db.transaction(async (trx) => {
        const list = await lockList(trx, db, author, listId);
        return list === undefined ? null : removeKeys(trx, author, { list, keys, secrets: db.secrets }, nowMs);
      }),
    async known(listId, keys, nowMs) {
      const found = [...(await knownOf(db.read, listId, keys)).values()];
      return { live: found.filter((entry) => isLiveAt(entry, nowMs)).length, bytes: totalBytes(found) };
    },
    page: (listId, page, nowMs) => readPage(db, listId, page, nowMs),
    async *all(listId, nowMs) {
      const live = db.read
        .selectFrom('custom_list_entries')
        .selectAll()
        .where('list_id', '=', listId)
        .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', nowMs)]));
      for (let afterNo = 0; ; ) {
        const rows = await live.where('no', '>', afterNo).orderBy('no').limit(pageSize).execute();
        yield* rows.map(toEntry);
        const last = rows.at(-1);
        if (last === undefined || rows.length < pageSize) return;
        afterNo = last.no;
      }
    },
  };
}

async function readPage(
  db: Db,
  listId: string,
  { beforeNo, limit, search }: EntriesPage,
  nowMs: number,
): Promise<ListEntry[]> {
  const shown = db.read
    .selectFrom('custom_list_entries')
    .where('list_id', '=', listId)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', nowMs - expiredShownMs)]))
    .orderBy('no', 'desc');
  const rowsFrom = (before: number | null) => (before === null ? shown : shown.where('no', '<', before));
  if (search === null) return (await rowsFrom(beforeNo).selectAll().limit(limit).execute()).map(toEntry);
  const found: ListEntry[] = [];
  for (let before = beforeNo; ; ) {
    const some = rowsFrom(before);
    const last = await some
      .select('no')
      .offset(searchedAtOnce - 1)
      .limit(1)
      .executeTakeFirst();
    const within = last === undefined ? some : some.where('no', '>=', last.no);
    const matches = within.selectAll().where(matching(search));
    found.push(...(await matches.limit(limit - found.length).execute()).map(toEntry));
    if (last === undefined || found.length === limit) return found;
    before = last.no;
    await yieldToEventLoop();
  }
}

/** Entries that one statement searches: it holds the event loop for a few milliseconds, also with the longest notes. */
const searchedAtOnce = 2_000;

/** Entries per read for `all`. */
const pageSize = 2_000;

function toEntry(row: Schema['custom_list_entries']): ListEntry {
  return {
    no: row.no,
    value: row.value ?? row.key,
    note: row.note,
    expiresAtMs: row.expires_at,
    createdAtMs: row.created_at,
    createdBy: { kind: row.actor_kind as ActorKind, id: row.actor_id },
  };
}

/**
 * Databases fold ASCII letters only, so that a note is also compared as it was sent. Folding other letters in the query would take
 * a `replace` for each of them in every row: seconds for a text of many letters.
 */
function matching({ text, key }: NonNullable<EntriesPage['search']>) {
  const [sent, folded] = [text, text.toLowerCase()].map((each) => `%${each.replaceAll(/[\\%_]/g, '\\$&')}%`);
  return sql<boolean>`(key = ${key ?? ''} or key like ${folded} escape '\\' or note like ${sent} escape '\\' or lower(note) like ${folded} escape '\\')`;
}

function lockList(trx: Transaction<Schema>, db: Db, author: Author, listId: string) {
  return lockRows(db, ownLists(trx, author).where('id', '=', listId), 'no key update').executeTakeFirst();
}

type LockedList = NonNullable<Awaited<ReturnType<typeof lockList>>>;

async function putEntries(
  trx: Transaction<Schema>,
  author: Author,
  { list, entries, limits }: WantedEntries & { readonly list: LockedList },
  nowMs: number,
): Promise<EntriesWritten | LimitReached> {
  if (entries.length === 0) return { added: 0, updated: 0, changes: [] };
  const known = await knownOf(
    trx,
    list.id,
    entries.map(({ key }) => key),
  );
  const isLive = ({ key }: NewEntry) => isLiveAt(known.get(key), nowMs);
  const updated = entries.filter(isLive).length;
  const added = entries.length - updated;
  const expired = (await expiredCounts(trx, [list.id], nowMs)).get(list.id) ?? 0;
  if (added > 0 && list.total - expired + added > limits.entries) return 'full';
  const rows = rowsOf(author, list, entries, nowMs);
  const growth = rows.reduce((sum, row) => sum + bytesOf(row), 0) - totalBytes(known.values());
  if (growth > 0 && (await accountBytes(trx, author.accountId)) + growth > limits.accountBytes) return 'account_full';
  // An expired entry that is added again is a new one.
  const revived = entries.filter((entry) => known.has(entry.key) && !isLive(entry)).map(({ key }) => key);
  for (const batch of chunksOf(revived, batchSize))
    await trx.deleteFrom('custom_list_entries').where('list_id', '=', list.id).where('key', 'in', batch).execute();
  for (const batch of chunksOf(rows, batchSize)) await upsert(trx, batch);
  const total = list.total + added - revived.length;
  const trimmed = await trimExpired(trx, list.id, total - 2 * limits.entries, nowMs);
  const counts = { total: total - trimmed.length, bytes: list.bytes + growth - totalBytes(trimmed) };
  await advance(trx, list, { ...counts, last_seq: list.last_seq + rows.length }, nowMs);
  await recordListAct(trx, author, { action: 'list.entries_added', list, detail: { added, updated } }, nowMs);
  await recordChange(trx, customListsTopic, scopeOf(author), nowMs);
  const changes = rows.map(({ seq, key, expires_at }) => ({
    seq,
    key,
    untilMs: expires_at ?? Number.POSITIVE_INFINITY,
  }));
  return { added, updated, changes };
}

function rowsOf(author: Author, list: LockedList, entries: readonly NewEntry[], nowMs: number) {
  return entries.map(({ key, value, note, expiresAtMs }, index) => ({
    list_id: list.id,
    key,
    value: value === key ? null : value,
    note,
    expires_at: expiresAtMs,
    created_at: nowMs,
    actor_kind: author.by.kind,
    actor_id: author.by.id,
    no: list.last_seq + 1 + index,
    seq: list.last_seq + 1 + index,
  }));
}

async function upsert(trx: Transaction<Schema>, rows: readonly Schema['custom_list_entries'][]): Promise<void> {
  await trx
    .insertInto('custom_list_entries')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['list_id', 'key']).doUpdateSet((row) => ({
        value: row.ref('excluded.value'),
        note: row.ref('excluded.note'),
        expires_at: row.ref('excluded.expires_at'),
        seq: row.ref('excluded.seq'),
      })),
    )
    .execute();
}

interface KnownEntry {
  readonly expires_at: number | null;
  readonly bytes: number;
}

const isLiveAt = (entry: KnownEntry | undefined, nowMs: number): boolean =>
  entry !== undefined && (entry.expires_at ?? nowMs + 1) > nowMs;

/** The listed ones among these keys. */
async function knownOf(
  trx: Db['read'],
  listId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KnownEntry>> {
  const found = new Map<string, KnownEntry>();
  for (const batch of chunksOf(keys, batchSize)) {
    const query = trx.selectFrom('custom_list_entries').where('list_id', '=', listId).where('key', 'in', batch);
    for (const row of await query.select(['key', 'expires_at', storedBytes]).execute()) found.set(row.key, row);
  }
  return found;
}

async function removeKeys(
  trx: Transaction<Schema>,
  author: Author,
  { list, keys, secrets }: { readonly list: LockedList; readonly keys: readonly string[]; readonly secrets: SecretBox },
  nowMs: number,
): Promise<KeyChange[]> {
  const removed: { readonly key: string; readonly bytes: number }[] = [];
  for (const batch of chunksOf(keys, batchSize)) {
    const removal = trx.deleteFrom('custom_list_entries').where('list_id', '=', list.id).where('key', 'in', batch);
    removed.push(...(await removal.returning(['key', storedBytes]).execute()));
  }
  if (removed.length === 0) return [];
  const changes = removed.map(({ key }, index) => ({
    seq: list.last_seq + 1 + index,
    key,
    untilMs: 0,
  }));
  const rows = changes.map(({ seq, key }) => ({
    list_id: list.id,
    seq,
    sealed_key: secrets.seal(key),
    removed_at: nowMs,
  }));
  for (const batch of chunksOf(rows, batchSize)) await trx.insertInto('custom_list_removals').values(batch).execute();
  const pruned_through = await pruneRemovals(trx, 'custom_list_removals', list, { limit: 2 * removed.length, nowMs });
  const counts = { total: list.total - removed.length, bytes: list.bytes - totalBytes(removed) };
  await advance(trx, list, { ...counts, last_seq: list.last_seq + removed.length, pruned_through }, nowMs);
  await recordListAct(
    trx,
    author,
    { action: 'list.entries_removed', list, detail: { removed: removed.length } },
    nowMs,
  );
  await recordChange(trx, customListsTopic, scopeOf(author), nowMs);
  return changes;
}

async function advance(
  trx: Transaction<Schema>,
  { id }: LockedList,
  to: Partial<Pick<LockedList, 'total' | 'bytes' | 'last_seq' | 'pruned_through'>>,
  nowMs: number,
): Promise<void> {
  await trx
    .updateTable('custom_lists')
    .set({ ...to, updated_at: nowMs })
    .where('id', '=', id)
    .execute();
}
