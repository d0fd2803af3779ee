/** An account's own list, for use in rules. A writer of entries locks its row, so numbers are committed in order. */
export interface CustomListsTable {
  id: string;
  account_id: string;
  environment: string;
  name: string;
  /** The name in lower case: names are unique in an environment, ignoring case. */
  name_key: string;
  kind: string;
  description: string | null;
  /** Rows of entries, expired ones included. */
  total: number;
  /** Their size. */
  bytes: number;
  /** The number of the last change to an entry. */
  last_seq: number;
  /** Removals up to this number may have been pruned. */
  pruned_through: number;
  created_at: number;
  updated_at: number;
}

export interface CustomListEntriesTable {
  list_id: string;
  /** The form in which values are compared. */
  key: string;
  /** The value as it is shown; null if it is the key. */
  value: string | null;
  note: string | null;
  expires_at: number | null;
  created_at: number;
  actor_kind: string;
  actor_id: string;
  /** The order of addition. */
  no: number;
  /** The number of its last change. */
  seq: number;
}

/** A removal, stored for some time so that other instances need not read the whole list again. */
export interface CustomListRemovalsTable {
  list_id: string;
  seq: number;
  /** Encrypted: a removed value must not stay in the database and its backups. */
  sealed_key: string;
  removed_at: number;
}
