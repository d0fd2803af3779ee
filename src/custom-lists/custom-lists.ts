import { AppError } from '../errors.ts';
import type { Author, Owner } from '../http/endpoint.ts';
import { createYielder } from '../platform/yielding.ts';
import { ulid, ulidIn } from '../ulid.ts';
import { type CustomList, type ListEntry, type ListUse, listLimits, type NewCustomList } from './custom-list.ts';
import type { SentEntry } from './custom-lists-input.ts';
import type { CreateResult, CustomListsStore, ListChange } from './custom-lists-store.ts';
import { type EntryProblem, readEntries } from './entries-input.ts';
import { entryValueIn } from './entry-value.ts';
import type { ListEntriesStore } from './list-entries-store.ts';
import type { ListMembership } from './list-membership.ts';

/** The result of adding entries. */
export interface EntriesResult {
  readonly added: number;
  /** Listed already; they have the note and the expiry that were sent now. */
  readonly updated: number;
  readonly errors: readonly EntryProblem[];
}

/** The effect that adding entries would have. */
export interface EntriesPreview {
  readonly added: number;
  readonly listed: number;
  readonly repeated: number;
  readonly errors: readonly EntryProblem[];
}

/** An account's own lists. A missing list, and another owner's, throws `list_not_found`. */
export interface CustomLists {
  list(owner: Owner): Promise<CustomList[]>;
  create(author: Author, list: NewCustomList): Promise<CustomList>;
  read(owner: Owner, id: string): Promise<CustomList>;
  change(author: Author, id: string, change: ListChange): Promise<CustomList>;
  /** Throws `list_in_use`. */
  remove(author: Author, id: string): Promise<void>;
  uses(owner: Owner, id: string): Promise<ListUse[]>;
  /** Newest first, those added before `beforeNo`. */
  entries(owner: Owner, id: string, page: EntriesQuery): Promise<ListEntry[]>;
  /** Changes nothing. */
  previewEntries(owner: Owner, id: string, entries: readonly SentEntry[]): Promise<EntriesPreview>;
  /** Adds the valid ones, or none if the list or the account's lists would be too large (`list_full`). */
  addEntries(author: Author, id: string, entries: readonly SentEntry[]): Promise<EntriesResult>;
  /** Returns how many were removed. */
  removeEntries(author: Author, id: string, values: readonly string[]): Promise<number>;
}

/** Selects the entries to read. */
export interface EntriesQuery {
  readonly beforeNo: number | null;
  readonly limit: number;
  readonly text: string | null;
}

/** The stores of lists and entries, and the lists in memory. */
export interface CustomListParts {
  readonly lists: CustomListsStore;
  readonly entries: ListEntriesStore;
  readonly membership: Pick<ListMembership, 'changedHere' | 'removedHere'>;
  readonly now: () => number;
}

/** Custom lists in the database; a change takes effect in this process immediately. */
export function createCustomLists({ lists, entries, membership, now }: CustomListParts): CustomLists {
  const read = async (owner: Owner, id: string): Promise<CustomList> => {
    const list = await lists.find(owner, listIdIn(id), now());
    if (list === null) throw new AppError('list_not_found');
    return list;
  };
  return {
    list: (owner) => lists.list(owner, now()),
    async create(author, list) {
      const nowMs = now();
      const created = { ...list, id: ulid(nowMs).toLowerCase() };
      throwUnlessCreated(await lists.create(author, [created], listLimits.lists, nowMs));
      return { ...created, entriesCount: 0, createdAtMs: nowMs, updatedAtMs: nowMs };
    },
    read,
    async change(author, id, change) {
      const result = Object.keys(change).length > 0 && (await lists.change(author, listIdIn(id), change, now()));
      if (result === 'name_taken') throw new AppError('list_name_taken');
      return read(author, id);
    },
    async remove(author, id) {
      const uses = await lists.remove(author, listIdIn(id), now());
      if (uses === null) throw new AppError('list_not_found');
      const rules = uses.map(({ gateId, ...rule }) => ({ gate_id: gateId, ...rule }));
      if (rules.length > 0) throw new AppError('list_in_use', { rules });
      membership.removedHere(author, listIdIn(id));
    },
    uses: (owner, id) => lists.uses(owner, listIdIn(id)),
    ...createEntryOperations({ entries, membership, now }, read),
  };
}

type EntryOperations = Pick<CustomLists, 'entries' | 'previewEntries' | 'addEntries' | 'removeEntries'>;

/** The operations on entries; `read` throws for a missing list. */
function createEntryOperations(
  { entries, membership, now }: Omit<CustomListParts, 'lists'>,
  read: CustomLists['read'],
): EntryOperations {
  return {
    async entries(owner, id, { beforeNo, limit, text }) {
      const list = await read(owner, id);
      const search = text === null ? null : { text, key: entryValueIn(list.kind, text)?.key ?? null };
      return entries.page(list.id, { beforeNo, limit, search }, now());
    },
    async previewEntries(owner, id, sent) {
      const list = await read(owner, id);
      const { valid, errors } = await readEntries(list.kind, sent, now(), createYielder());
      const keys = valid.map(({ key }) => key);
      const { live } = await entries.known(list.id, keys, now());
      return {
        added: valid.length - live,
        listed: live,
        repeated: sent.length - errors.length - valid.length,
        errors,
      };
    },
    async addEntries(author, id, sent) {
      const list = await read(author, id);
      const nowMs = now();
      const { valid, errors } = await readEntries(list.kind, sent, nowMs, createYielder());
      const written = await entries.put(author, list.id, { entries: valid, limits: listLimits }, nowMs);
      if (written === null) throw new AppError('list_not_found');
      if (written === 'full') throw new AppError('list_full');
      if (written === 'account_full') throw new AppError('list_full', { message: accountFull });
      membership.changedHere(author, list.id, written.changes);
      return { added: written.added, updated: written.updated, errors };
    },
    async removeEntries(author, id, values) {
      const list = await read(author, id);
      const keys = new Set(values.flatMap((value) => entryValueIn(list.kind, value)?.key ?? []));
      const changes = await entries.remove(author, list.id, [...keys], now());
      if (changes === null) throw new AppError('list_not_found');
      membership.changedHere(author, list.id, changes);
      return changes.length;
    },
  };
}

const accountFull = `An account's lists hold at most ${listLimits.accountBytes / 1_000_000} MB. Nothing was changed.`;

function throwUnlessCreated(result: CreateResult): void {
  if (result === 'name_taken') throw new AppError('list_name_taken');
  if (result === 'limit_reached') throw new AppError('list_limit_reached');
}

/** The id of a list that a text spells in any case; throws for a text that never was one. */
function listIdIn(text: string): string {
  const id = ulidIn(text)?.toLowerCase();
  if (id === undefined) throw new AppError('list_not_found');
  return id;
}
