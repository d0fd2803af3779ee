import type { Schema } from '../schema.ts';

/** What is moved, in an order in which whatever is referred to comes first; of each table the columns that tell its rows apart. */
export const movedTables: ReadonlyMap<keyof Schema, readonly [string, ...string[]]> = new Map<
  keyof Schema,
  readonly [string, ...string[]]
>([
  ['accounts', ['id']],
  ['keys', ['id']],
  ['usage', ['account_id', 'cycle_start']],
  ['settings', ['name']],
  ['users', ['id']],
  ['sessions', ['id']],
  ['sign_in_links', ['hash']],
  ['audit', ['id']],
  ['facts', ['domain', 'kind']],
  ['mail_host_domains', ['host', 'domain']],
  ['learnt_mail_hosts', ['host']],
  ['blocklists', ['id']],
  ['blocklist_entries', ['list_id', 'seq']],
  ['blocklist_counts', ['list_id', 'level', 'block']],
  ['blocklist_removals', ['list_id', 'seq']],
  ['gates', ['id']],
  ['gate_rules', ['id']],
  ['gate_revisions', ['gate_id', 'revision']],
  ['removed_gates', ['id']],
  ['decisions', ['gate_id', 'id']],
  ['old_decisions', ['gate_id', 'id']],
  ['decision_segments', ['no']],
  ['decision_buckets', ['bucket']],
  ['decision_terms', ['bucket', 'part']],
  ['decision_counts', ['gate_id', 'hour', 'action']],
  ['rule_counts', ['gate_id', 'hour', 'rule_id']],
]);

/** What belongs to a database or to the processes that use it, and begins anew. */
export const leftTables: readonly (keyof Schema)[] = ['migrations', 'changes', 'instances', 'credit_leases'];

/** Columns whose next value the database gives. */
export const numberedColumns: Readonly<Partial<Record<keyof Schema, string>>> = {
  blocklists: 'id',
  decision_segments: 'no',
};
