import type { Generated } from 'kysely';
import type {
  AccountsTable,
  CreditLeasesTable,
  InstancesTable,
  KeysTable,
  UsageTable,
} from './tables/account-tables.ts';
import type {
  BlocklistCountsTable,
  BlocklistEntriesTable,
  BlocklistRemovalsTable,
  BlocklistsTable,
} from './tables/blocklist-tables.ts';
import type { SessionsTable, SignInLinksTable, SignInTriesTable, UsersTable } from './tables/console-tables.ts';
import type { CustomListEntriesTable, CustomListRemovalsTable, CustomListsTable } from './tables/custom-list-tables.ts';
import type {
  DecisionBucketsTable,
  DecisionCountsTable,
  DecisionOutcomesTable,
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
import type { HookCallsTable, HooksTable } from './tables/hook-tables.ts';
import type {
  FactsTable,
  LearntMailHostsTable,
  ListUsersTable,
  MailHostDomainsTable,
  OperatorEntriesTable,
  SharedFilePartsTable,
  SharedFilesTable,
} from './tables/knowledge-tables.ts';
import type {
  FlagComparisonsTable,
  FlaggedDomainsTable,
  FlagSuspectsTable,
  SeenBlocksTable,
  SeenDaysTable,
  SeenDomainsTable,
} from './tables/seen-tables.ts';
import type { TrafficBlocksTable } from './tables/traffic-tables.ts';
import type {
  TrafficHoursTable,
  WaveMembersTable,
  WaveSettingsTable,
  WaveSilencesTable,
  WavesTable,
} from './tables/wave-tables.ts';
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
  custom_lists: CustomListsTable;
  custom_list_entries: CustomListEntriesTable;
  custom_list_removals: CustomListRemovalsTable;
  gates: GatesTable;
  gate_rules: GateRulesTable;
  gate_revisions: GateRevisionsTable;
  removed_gates: RemovedGatesTable;
  decisions: DecisionsTable;
  decision_segments: DecisionSegmentsTable;
  decision_buckets: DecisionBucketsTable;
  decision_terms: DecisionTermsTable;
  decision_outcomes: DecisionOutcomesTable;
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
  hooks: HooksTable;
  hook_calls: HookCallsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  seen_domains: SeenDomainsTable;
  seen_blocks: SeenBlocksTable;
  flagged_domains: FlaggedDomainsTable;
  flag_suspects: FlagSuspectsTable;
  flag_comparisons: FlagComparisonsTable;
  traffic_blocks: TrafficBlocksTable;
  seen_days: SeenDaysTable;
  removed_webhooks: RemovedWebhooksTable;
  waves: WavesTable;
  wave_members: WaveMembersTable;
  wave_settings: WaveSettingsTable;
  wave_silences: WaveSilencesTable;
  traffic_hours: TrafficHoursTable;
}

/** The migrations that were applied to this database. */
export interface MigrationsTable {
  id: string;
  applied_at: number;
}

/** Single values that the service creates once, such as its hash secret. */
export interface SettingsTable {
  name: string;
  value: string;
}

/** The last change per topic and scope, so that other processes invalidate their caches. */
export interface ChangesTable {
  topic: string;
  scope: string;
  revision: number;
  /** By the writer's clock, for people who read the table; no code compares it. */
  changed_at: number;
  /** Set by the database; see `readChanges`. */
  position: Generated<number>;
}

/** Work that one process does at a time, by its name; `ends_at` is by the clock of the database. */
export interface LeasesTable {
  name: string;
  holder: string;
  ends_at: number;
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

/** The domains most often looked up in a quarter of a day. */
export interface LookupDomainsTable {
  account_id: string;
  environment: string;
  quarter: number;
  domain: string;
  lookups: number;
}

/** The audit trail: actor, action, time and origin; `detail` is JSON. */
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
