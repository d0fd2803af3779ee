import type { Generated } from 'kysely';
import type {
  DecisionBucketsTable,
  DecisionCountsTable,
  DecisionSegmentsTable,
  DecisionsTable,
  DecisionTermsTable,
  EnvironmentCountsTable,
  GateRevisionsTable,
  GateRulesTable,
  GatesTable,
  RemovedGatesTable,
  RuleCountsTable,
  RuleDaysTable,
} from './tables/gate-tables.ts';
import type {
  FlagComparisonsTable,
  FlaggedDomainsTable,
  FlagSuspectsTable,
  SeenBlocksTable,
  SeenDomainsTable,
} from './tables/seen-tables.ts';
import type { RemovedWebhooksTable, WebhookDeliveriesTable, WebhooksTable } from './tables/webhook-tables.ts';

/** The columns as both engines hold them: TEXT ids, INTEGER 0/1, BIGINT epoch milliseconds, TEXT JSON. */
export interface Schema {
  migrations: MigrationsTable;
  accounts: AccountsTable;
  keys: KeysTable;
  usage: UsageTable;
  settings: SettingsTable;
  changes: ChangesTable;
  facts: FactsTable;
  fact_leases: LeasesTable;
  mail_host_domains: MailHostDomainsTable;
  learnt_mail_hosts: LearntMailHostsTable;
  operator_entries: OperatorEntriesTable;
  work_leases: LeasesTable;
  shared_files: SharedFilesTable;
  shared_file_parts: SharedFilePartsTable;
  list_users: ListUsersTable;
  blocklists: BlocklistsTable;
  blocklist_entries: BlocklistEntriesTable;
  blocklist_counts: BlocklistCountsTable;
  blocklist_removals: BlocklistRemovalsTable;
  gates: GatesTable;
  gate_rules: GateRulesTable;
  gate_revisions: GateRevisionsTable;
  removed_gates: RemovedGatesTable;
  decisions: DecisionsTable;
  old_decisions: DecisionsTable;
  decision_segments: DecisionSegmentsTable;
  decision_buckets: DecisionBucketsTable;
  decision_terms: DecisionTermsTable;
  decision_counts: DecisionCountsTable;
  environment_counts: EnvironmentCountsTable;
  rule_counts: RuleCountsTable;
  rule_days: RuleDaysTable;
  audit: AuditTable;
  lookup_counts: LookupCountsTable;
  lookup_domains: LookupDomainsTable;
  users: UsersTable;
  sessions: SessionsTable;
  sign_in_links: SignInLinksTable;
  sign_in_tries: SignInTriesTable;
  instances: InstancesTable;
  credit_leases: CreditLeasesTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  seen_domains: SeenDomainsTable;
  seen_blocks: SeenBlocksTable;
  flagged_domains: FlaggedDomainsTable;
  flag_suspects: FlagSuspectsTable;
  flag_comparisons: FlagComparisonsTable;
  removed_webhooks: RemovedWebhooksTable;
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
  /** From then on it no longer works; null: it works until it is revoked. */
  expires_at: number | null;
  /** The beginning of the hour in which it was last used, as far as that is written. */
  last_used_at: number | null;
}

/** Credits an account has used in one billing cycle. */
export interface UsageTable {
  account_id: string;
  cycle_start: number;
  used: number;
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
  /** By the clock of the writer, for people who read the table; nothing is compared with it. */
  changed_at: number;
  /** Given by the database; see `readChanges`. */
  position: Generated<number>;
}

/** Something learnt from the network about a domain; `value` is JSON. */
export interface FactsTable {
  domain: string;
  kind: string;
  value: string;
  source: string;
  learnt_at: number;
}

/** A domain that was seen to point at a mail server. */
export interface MailHostDomainsTable {
  host: string;
  domain: string;
  seen_at: number;
}

/** A mail server that disposable services were found to use, by the domains that point there. */
export interface LearntMailHostsTable {
  host: string;
  listed: number;
  others: number;
}

/** A domain, or the hash of an address, on one of the operator's own lists. */
export interface OperatorEntriesTable {
  list: string;
  entry: string;
  added_at: number;
}

/** Something that one process does at a time, by its name (of a domain: asking the network about it); `ends_at` is by the clock of the database. */
export interface LeasesTable {
  name: string;
  holder: string;
  ends_at: number;
}

/** A file of lists that all instances are to have; `state` is JSON. */
export interface SharedFilesTable {
  name: string;
  sha256: string;
  size: number;
  modified_at: number;
  state: string | null;
  shared_at: number;
}

/** A part of a shared file. */
export interface SharedFilePartsTable {
  sha256: string;
  part: number;
  bytes: Uint8Array;
  stored_at: number;
}

/** A process and the lists it uses; `seen_at` is by the clock of the database. */
export interface ListUsersTable {
  id: string;
  host: string;
  version: string;
  fingerprint: string;
  built_at: string;
  seen_at: number;
}

/** The blocklist of one account and environment. A writer locks its row, so numbers are committed in order. */
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

/** Lookups of an environment by hour. */
export interface LookupCountsTable {
  account_id: string;
  environment: string;
  hour: number;
  lookups: number;
  disposable: number;
  relay: number;
  no_mail: number;
  not_found_out: number;
  /** The most lookups and decisions in one second. */
  peak: number;
}

/** The domains asked for most in a quarter of a day. */
export interface LookupDomainsTable {
  account_id: string;
  environment: string;
  quarter: number;
  domain: string;
  lookups: number;
}

/** Who did what, when and from where; `detail` is JSON. */
export interface AuditTable {
  id: string;
  at: number;
  actor_kind: string;
  actor_id: string;
  actor_from: string | null;
  account_id: string | null;
  environment: string | null;
  action: string;
  subject: string;
  detail: string;
}

/** Somebody who may sign in to the console; `password` is a hash with its parameters, null while none is set. */
export interface UsersTable {
  id: string;
  account_id: string;
  /** In lower case. */
  email: string;
  role: string;
  password: string | null;
  created_at: number;
  signed_in_at: number | null;
}

/** A browser that is signed in, of whose token only the hash is kept. */
export interface SessionsTable {
  id: string;
  hash: string;
  user_id: string;
  by_link: number;
  created_at: number;
  /** Of the last request, to some minutes. */
  seen_at: number;
  came_from: string;
  agent: string;
}

/** The one link that lets a user in once, of whose token only the hash is kept. */
export interface SignInLinksTable {
  hash: string;
  user_id: string;
  expires_at: number;
}

/** How often somebody, or somebody somewhere, tried to sign in; by the hash of who and where. */
export interface SignInTriesTable {
  hash: string;
  tries: number;
  last_at: number;
  forget_at: number;
}

/** A process that serves from this database; `seen_at` is by the clock of the database. */
export interface InstancesTable {
  id: string;
  seen_at: number;
}

/** What a process was granted of an account's month and what it spent of that, both since its first lease of the month. */
export interface CreditLeasesTable {
  account_id: string;
  cycle_start: number;
  holder: string;
  granted: number;
  spent: number;
}
