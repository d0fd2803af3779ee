import type { Generated } from 'kysely';

/** The blocklist of one account and environment. A writer locks its row, so numbers are committed in order. */
export interface BlocklistsTable {
  id: Generated<number>;
  account_id: string;
  environment: string;
  total: number;
  /** The number of the last addition or removal. */
  last_seq: number;
  /** Removals up to this number may have been pruned. */
  pruned_through: number;
}

/** A domain on a blocklist, numbered in the order of addition. */
export interface BlocklistEntriesTable {
  list_id: number;
  seq: number;
  domain: string;
  created_at: number;
  /** Why the domain is listed. */
  reason: string | null;
}

/** How many entries have a number in a block: 256 numbers on level 1, 65,536 on level 2. */
export interface BlocklistCountsTable {
  list_id: number;
  level: number;
  block: number;
  entries: number;
}

/** A removal, stored for some time so that other instances need not read the whole list again. */
export interface BlocklistRemovalsTable {
  list_id: number;
  seq: number;
  /** Encrypted: a removed domain must not stay in the database and its backups. */
  sealed_domain: string;
  removed_at: number;
}
