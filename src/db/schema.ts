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
