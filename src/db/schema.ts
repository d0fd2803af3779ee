import type { Generated } from 'kysely';

/** The columns as both engines hold them: TEXT ids, INTEGER 0/1, BIGINT epoch milliseconds, TEXT JSON. */
export interface Schema {
  migrations: MigrationsTable;
  accounts: AccountsTable;
  keys: KeysTable;
  usage: UsageTable;
  usage_daily: UsageDailyTable;
  settings: SettingsTable;
  changes: ChangesTable;
  facts: FactsTable;
  blocklists: BlocklistsTable;
  blocklist_entries: BlocklistEntriesTable;
  blocklist_counts: BlocklistCountsTable;
  blocklist_removals: BlocklistRemovalsTable;
}

/** Which migrations this database has had. */
export interface MigrationsTable {
  id: string;
  applied_at: number;
}

/** The owner of keys, plan and credits. */
export interface AccountsTable {
  id: string;
  name: string;
  email: string;
  plan: string;
  overage: number;
  created_at: number;
}

/** A key, of which only the hash is kept. */
export interface KeysTable {
  id: string;
  account_id: string;
  environment: string;
  name: string | null;
  hash: string;
  prefix: string;
  last4: string;
  created_at: number;
  revoked_at: number | null;
}

/** Credits an account has used in one billing cycle. */
export interface UsageTable {
  account_id: string;
  cycle_start: number;
  used: number;
}

/** Counts of calls by day, for the statistics of an environment. */
export interface UsageDailyTable {
  account_id: string;
  environment: string;
  day: number;
  kind: string;
  count: number;
}

/** Single values the service makes for itself once, such as its hash secret. */
export interface SettingsTable {
  name: string;
  value: string;
}

/** What changed last, per topic and scope, so that other processes drop what they cached. */
export interface ChangesTable {
  topic: string;
  scope: string;
  revision: number;
  changed_at: number;
}

/** Something learnt from the network about a domain; `value` is JSON. */
export interface FactsTable {
  domain: string;
  kind: string;
  value: string;
  source: string;
  learnt_at: number;
}

/** The blocklist of one account and environment. Whoever changes it holds its row, so numbers are committed in order. */
export interface BlocklistsTable {
  id: Generated<number>;
  account_id: string;
  environment: string;
  total: number;
  /** The number of the last addition or removal. */
  last_seq: number;
  /** Removals up to this number may have been forgotten. */
  pruned_through: number;
}

/** A domain on a blocklist, numbered in the order of addition. */
export interface BlocklistEntriesTable {
  list_id: number;
  seq: number;
  domain: string;
  created_at: number;
}

/** How many entries have a number in a block: 256 numbers on level 1, 65,536 on level 2. */
export interface BlocklistCountsTable {
  list_id: number;
  level: number;
  block: number;
  entries: number;
}

/** A removal, kept for a while so that other instances need not read the whole list again. */
export interface BlocklistRemovalsTable {
  list_id: number;
  seq: number;
  domain: string;
  removed_at: number;
}
