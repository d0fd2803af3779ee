import type { Actor } from '../actor.ts';
import type { ListKind } from '../list-kind.ts';

/** The most lists of an environment, entries of a list (without expired ones), and bytes of an account's entries. */
export const listLimits = {
  lists: 50,
  entries: 100_000,
  entriesPerRequest: 1_000,
  accountBytes: 200_000_000,
} as const;

export type EntryLimits = Readonly<Record<'entries' | 'accountBytes', number>>;

/** An account's own list, for use in rules. */
export interface CustomList {
  readonly id: string;
  readonly name: string;
  readonly kind: ListKind;
  readonly description: string | null;
  /** Without expired ones. */
  readonly entriesCount: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A new list as its author writes it. */
export type NewCustomList = Pick<CustomList, 'name' | 'kind' | 'description'>;

/** A rule that compares with a list. */
export interface ListUse {
  readonly gateId: string;
  readonly id: string;
  readonly name: string;
}

/** An entry to add, or to change if the list has its key. */
export interface NewEntry {
  readonly key: string;
  readonly value: string;
  readonly note: string | null;
  readonly expiresAtMs: number | null;
}

export interface ListEntry extends Omit<NewEntry, 'key'> {
  /** The order of addition. */
  readonly no: number;
  readonly createdAtMs: number;
  readonly createdBy: Pick<Actor, 'kind' | 'id'>;
}
