import type { Schema } from '../schema.ts';

type Columns = readonly [string, ...string[]];

/**
 * Every table, referenced tables first, with the columns of its key. Null: it belongs to one database or its processes, and is
 * not moved.
 */
const keyColumns: Readonly<Record<keyof Schema, Columns | null>> = {
  migrations: null,
  changes: null,
  instances: null,
  credit_leases: null,
  flag_comparisons: null,
  sign_in_tries: null,
  work_leases: null,
  shared_files: null,
  shared_file_parts: null,
  list_users: null,
  accounts: ['id'],
  keys: ['id'],
  usage: ['account_id', 'cycle_start'],
  settings: ['name'],
  users: ['id'],
  sessions: ['id'],
  sign_in_links: ['hash'],
  audit: ['id'],
  facts: ['domain', 'kind'],
  mail_host_domains: ['host', 'domain'],
  learnt_mail_hosts: ['host'],
  operator_entries: ['list', 'entry'],
  lookup_counts: ['account_id', 'environment', 'hour'],
  lookup_domains: ['account_id', 'environment', 'quarter', 'domain'],
  blocklists: ['id'],
  blocklist_entries: ['list_id', 'seq'],
  blocklist_counts: ['list_id', 'level', 'block'],
  blocklist_removals: ['list_id', 'seq'],
  custom_lists: ['id'],
  custom_list_entries: ['list_id', 'key'],
  custom_list_removals: ['list_id', 'seq'],
  gates: ['id'],
  gate_rules: ['id'],
  gate_revisions: ['gate_id', 'revision'],
  removed_gates: ['id'],
  decisions: ['gate_id', 'id'],
  decision_segments: ['no'],
  decision_buckets: ['bucket'],
  decision_terms: ['bucket', 'part'],
  decision_outcomes: ['gate_id', 'decision_id'],
  decision_counts: ['gate_id', 'hour', 'action'],
  environment_counts: ['account_id', 'environment', 'hour'],
  rule_counts: ['gate_id', 'hour', 'rule_id'],
  rule_days: ['gate_id', 'day', 'rule_id'],
  webhooks: ['id'],
  webhook_deliveries: ['id'],
  hooks: ['id'],
  hook_calls: ['hook_id', 'slot'],
  seen_domains: ['day', 'name', 'account_id', 'environment'],
  seen_blocks: ['no'],
  flagged_domains: ['account_id', 'environment', 'domain', 'kind'],
  flag_suspects: ['domain', 'kind'],
  traffic_blocks: ['no'],
  seen_days: ['key'],
  removed_webhooks: ['id'],
  waves: ['id'],
  wave_members: ['wave_id', 'no'],
  wave_settings: ['account_id', 'environment'],
  wave_silences: ['account_id', 'environment', 'kind', 'key'],
  traffic_hours: ['account_id', 'environment', 'hour'],
};

const tables = Object.entries(keyColumns) as [keyof Schema, Columns | null][];

/** The moved tables, with the columns that identify a row. */
export const movedTables: ReadonlyMap<keyof Schema, Columns> = new Map(
  tables.flatMap(([table, columns]) => (columns === null ? [] : [[table, columns] as const])),
);

/** The tables that are not moved. */
export const leftTables: readonly (keyof Schema)[] = tables.flatMap(([table, columns]) =>
  columns === null ? [table] : [],
);

/** Columns whose next value the database gives. */
export const numberedColumns: Readonly<Partial<Record<keyof Schema, string>>> = {
  blocklists: 'id',
  decision_segments: 'no',
  seen_blocks: 'no',
  traffic_blocks: 'no',
};
