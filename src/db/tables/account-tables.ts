/** The owner of keys, plan and credits. */
export interface AccountsTable {
  id: string;
  name: string;
  email: string;
  plan: string;
  overage: number;
  created_at: number;
}

/** A key; only its hash is stored. */
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
  /** The key stops working then; null: it works until it is revoked. */
  expires_at: number | null;
  /** The start of the hour of its last use that was written. */
  last_used_at: number | null;
  /** The restrictions of a publishable key, as JSON; null: the key is secret. */
  publishable: string | null;
}

/** Credits an account has used in one billing cycle. */
export interface UsageTable {
  account_id: string;
  cycle_start: number;
  used: number;
}

/** A process that serves from this database; `seen_at` is by the clock of the database. */
export interface InstancesTable {
  id: string;
  seen_at: number;
}

/** The credits of an account's month that a process was granted and has spent, both since its first lease of the month. */
export interface CreditLeasesTable {
  account_id: string;
  cycle_start: number;
  holder: string;
  granted: number;
  spent: number;
}
