import { type Selectable, sql, type Transaction } from 'kysely';
import { recordOwnAct } from '../db/audit.ts';
import { recordChange } from '../db/changes.ts';
import type { Db } from '../db/db.ts';
import { ownedBy } from '../db/owned-by.ts';
import { lockRows } from '../db/row-locks.ts';
import type { Schema } from '../db/schema.ts';
import type { CustomListsTable } from '../db/tables/custom-list-tables.ts';
import type { Author, Owner } from '../http/endpoint.ts';
import type { ListKind } from '../list-kind.ts';
import { scopeOf } from '../owner-scope.ts';
import type { CustomList, ListUse, NewCustomList } from './custom-list.ts';

/** The topic of changes to custom lists; the scope is the owner's. */
export const customListsTopic = 'custom-lists';

/** Custom lists in the database, without their entries. */
export interface CustomListsStore {
  /** Newest first. */
  list(owner: Owner, nowMs: number): Promise<CustomList[]>;
  find(owner: Owner, id: string, nowMs: number): Promise<CustomList | null>;
  /** Creates lists, all or none; the result says why none was created. */
  create(author: Author, lists: readonly IdentifiedList[], maxLists: number, nowMs: number): Promise<CreateResult>;
  change(author: Author, id: string, change: ListChange, nowMs: number): Promise<'changed' | 'missing' | 'name_taken'>;
  /** Removes a list that no rule uses, with its entries; otherwise returns the rules, and null for a missing list. */
  remove(author: Author, id: string, nowMs: number): Promise<readonly ListUse[] | null>;
  /** The rules that use a list, disabled and shadow rules included. */
  uses(owner: Owner, id: string): Promise<ListUse[]>;
}

export type IdentifiedList = NewCustomList & { readonly id: string };
export type ListChange = Partial<Pick<CustomList, 'name' | 'description'>>;
export type CreateResult = 'created' | 'name_taken' | 'limit_reached';

export function createCustomListsStore(db: Db): CustomListsStore {
  return {
    async list(owner, nowMs) {
      const rows = await ownLists(db.read, owner).orderBy('id', 'desc').execute();
      return toLists(db, rows, nowMs);
    },
    async find(owner, id, nowMs) {
      const rows = await ownLists(db.read, owner).where('id', '=', id).execute();
      return (await toLists(db, rows, nowMs))[0] ?? null;
    },
    create: (author, lists, maxLists, nowMs) =>
      db.transaction((trx) => createLists(trx, author, { lists, maxLists }, nowMs)),
    change: (author, id, change, nowMs) =>
      db.transaction(async (trx) => {
        // Also the lock under which names are compared.
        await recordChange(trx, customListsTopic, scopeOf(author), nowMs);
        const list = await ownLists(trx, author).where('id', '=', id).executeTakeFirst();
        if (list === undefined) return 'missing';
        const { name = list.name, description = list.description } = change;
        const namesake = await ownLists(trx, author).where('name_key', '=', keyOf(name)).executeTakeFirst();
        if (namesake !== undefined && namesake.id !== id) return 'name_taken';
        const changed = { name, name_key: keyOf(name), description, updated_at: nowMs };
        await trx.updateTable('custom_lists').set(changed).where('id', '=', id).execute();
        const detail = { fields: Object.keys(change) };
        await recordListAct(trx, author, { action: 'list.changed', list: { id, name }, detail }, nowMs);
        return 'changed';
      }),
    async remove(author, id, nowMs) {
      const uses = await db.transaction(async (trx) => {
        const list = await lockRows(db, ownLists(trx, author).where('id', '=', id), 'update').executeTakeFirst();
        if (list === undefined) return null;
        const found = await usesOf(trx, author, id);
        if (found.length > 0) return found;
        await trx.deleteFrom('custom_lists').where('id', '=', id).execute();
        await recordListAct(trx, author, { action: 'list.removed', list }, nowMs);
        await recordChange(trx, customListsTopic, scopeOf(author), nowMs);
        return [];
      });
      if (uses?.length === 0) await removeEntriesOf(db, id);
      return uses;
    },
    uses: (owner, id) => usesOf(db.read, owner, id),
  };
}

async function createLists(
  trx: Transaction<Schema>,
  author: Author,
  { lists, maxLists }: { readonly lists: readonly IdentifiedList[]; readonly maxLists: number },
  nowMs: number,
): Promise<CreateResult> {
  // Also the lock under which the owner's lists are counted and their names compared.
  await recordChange(trx, customListsTopic, scopeOf(author), nowMs);
  const existing = await ownLists(trx, author).execute();
  const names = new Set(existing.map((list) => list.name_key));
  if (lists.some(({ name }) => names.has(keyOf(name)))) return 'name_taken';
  if (existing.length + lists.length > maxLists) return 'limit_reached';
  for (const { id, name, kind, description } of lists) {
    // An id can come again with an import; entries of the removed list may be left.
    await trx.deleteFrom('custom_list_entries').where('list_id', '=', id).execute();
    const owner = { account_id: author.accountId, environment: author.environment };
    const counts = { total: 0, bytes: 0, last_seq: 0, pruned_through: 0 };
    const times = { created_at: nowMs, updated_at: nowMs };
    const row = { id, ...owner, name, name_key: keyOf(name), kind, description, ...counts, ...times };
    await trx.insertInto('custom_lists').values(row).execute();
    await recordListAct(trx, author, { action: 'list.created', list: { id, name }, detail: { kind } }, nowMs);
  }
  return 'created';
}

/** The form in which names are compared. */
export function keyOf(name: string): string {
  return name.toLowerCase();
}

/** The rows of an owner's lists. */
export function ownLists(from: Db['read'], owner: Owner) {
  return from.selectFrom('custom_lists').selectAll().where(ownedBy(owner));
}

interface ListAct {
  readonly action: `list.${'created' | 'changed' | 'removed' | 'entries_added' | 'entries_removed'}`;
  readonly list: Pick<CustomList, 'id' | 'name'>;
  readonly detail?: object;
}

/** Records an act on a list. Entries are counted, never named: they may be people's addresses. */
export async function recordListAct(
  trx: Transaction<Schema>,
  author: Author,
  { action, list: { id, name }, detail = {} }: ListAct,
  nowMs: number,
): Promise<void> {
  await recordOwnAct(trx, author, { action, subject: id, detail: { name, ...detail } }, nowMs);
}

/** How many entries of these lists have expired, by list. */
export async function expiredCounts(
  from: Db['read'],
  listIds: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, number>> {
  if (listIds.length === 0) return new Map();
  const rows = await from
    .selectFrom('custom_list_entries')
    .select((row) => ['list_id', row.fn.countAll<number>().as('expired')])
    .where('list_id', 'in', listIds)
    .where('expires_at', '<=', nowMs)
    .groupBy('list_id')
    .execute();
  return new Map(rows.map(({ list_id, expired }) => [list_id, Number(expired)]));
}

async function toLists(db: Db, rows: readonly Selectable<CustomListsTable>[], nowMs: number): Promise<CustomList[]> {
  const expired = await expiredCounts(
    db.read,
    rows.map(({ id }) => id),
    nowMs,
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    kind: row.kind as ListKind,
    description: row.description,
    entriesCount: row.total - (expired.get(row.id) ?? 0),
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  }));
}

/** An id is a text that occurs in a rule's JSON only as the value of a condition, or in a text that quotes it. */
async function usesOf(from: Db['read'], owner: Owner, listId: string): Promise<ListUse[]> {
  const rows = await from
    .selectFrom('gate_rules')
    .innerJoin('gates', 'gates.id', 'gate_rules.gate_id')
    .select(['gate_rules.gate_id', 'gate_rules.id', 'gate_rules.body', 'gates.rule_ids'])
    .where(ownedBy(owner, 'gates'))
    .where(sql<boolean>`gate_rules.body like ${`%${listId}%`}`)
    .orderBy('gate_rules.gate_id')
    .execute();
  const uses = rows.flatMap(({ gate_id, id, body, rule_ids }) => {
    const { name, conditions } = JSON.parse(body) as StoredRule;
    const isUsed = conditions.some(({ operator, value }) => operator.endsWith('in_list') && value === listId);
    const place = (JSON.parse(rule_ids) as string[]).indexOf(id);
    return isUsed ? [{ place, use: { gateId: gate_id, id, name } }] : [];
  });
  const inOrder = Object.values(Object.groupBy(uses, ({ use }) => use.gateId)).flatMap((ofGate = []) =>
    ofGate.sort((one, other) => one.place - other.place),
  );
  return inOrder.map(({ use }) => use);
}

interface StoredRule {
  readonly name: string;
  readonly conditions: readonly { readonly operator: string; readonly value?: unknown }[];
}

/** The kinds of an owner's lists among these ids; the lists are held until the transaction ends. */
export async function heldListKinds(
  trx: Transaction<Schema>,
  db: Pick<Db, 'engine'>,
  owner: Owner,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ListKind>> {
  if (ids.length === 0) return new Map();
  const rows = await lockRows(db, ownLists(trx, owner).where('id', 'in', ids), 'key share').execute();
  return new Map(rows.map(({ id, kind }) => [id, kind as ListKind]));
}

/** Returns the ids that belong to a list of any account. */
export async function takenListIds(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.read.selectFrom('custom_lists').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Entries per statement; SQLite blocks the event loop during a statement. */
const rowsPerStatement = 500;

/** Removes all entries of a list whose row is gone. */
export async function removeEntriesOf(db: Db, listId: string): Promise<void> {
  await db.write.deleteFrom('custom_list_removals').where('list_id', '=', listId).execute();
  for (;;) {
    const batch = db.write.selectFrom('custom_list_entries').select('key').where('list_id', '=', listId);
    const removal = db.write.deleteFrom('custom_list_entries').where('list_id', '=', listId);
    const { numDeletedRows } = await removal.where('key', 'in', batch.limit(rowsPerStatement)).executeTakeFirst();
    if (Number(numDeletedRows) < rowsPerStatement) return;
  }
}

/** Removes an account's custom lists with their entries. */
export async function removeCustomLists(db: Db, accountId: string): Promise<void> {
  const lists = await db.read.selectFrom('custom_lists').select('id').where('account_id', '=', accountId).execute();
  for (const { id } of lists) {
    await removeEntriesOf(db, id);
    await db.write.deleteFrom('custom_lists').where('id', '=', id).execute();
  }
}
