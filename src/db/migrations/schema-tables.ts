import type { Engine } from '../migrate.ts';

/** The syntax in which the engines differ. */
function dialect(engine: Engine) {
  return engine === 'postgres'
    ? {
        id: 'integer generated always as identity primary key',
        number: 'bigint generated always as identity primary key',
        bigint: 'bigint',
        bytes: 'bytea',
        // Rows are read in the order of their bytes, which is SQLite's default.
        bytewiseText: 'text collate "C"',
        withoutRowid: '',
        // The number of the transaction; see `readChanges`.
        position: '(pg_current_xact_id()::text::bigint)',
      }
    : {
        id: 'integer primary key autoincrement',
        number: 'integer primary key autoincrement',
        bigint: 'integer',
        bytes: 'blob',
        bytewiseText: 'text',
        // Stores the rows in the order of the key: one tree less to write.
        withoutRowid: ' without rowid',
        position: '0',
      };
}

/** Removals from blocklists. */
export const removalsTable = (engine: Engine): string => `create table blocklist_removals (
  list_id integer not null, seq bigint not null, sealed_domain text not null, removed_at bigint not null,
  primary key (list_id, seq))${dialect(engine).withoutRowid}`;

/** The tables that version 0.1.0 had, as they are today. */
export function releasedTables(engine: Engine): readonly string[] {
  const { id, withoutRowid, position } = dialect(engine);
  return [
    `create table accounts (
      id text primary key, name text not null, email text not null, plan text not null,
      overage integer default 0 not null, created_at bigint not null)`,
    `create table keys (
      id text primary key, account_id text not null references accounts (id), environment text not null, name text,
      hash text not null unique, prefix text not null, last4 text not null, created_at bigint not null,
      revoked_at bigint, expires_at bigint, last_used_at bigint)`,
    'create index keys_account_id on keys (account_id)',
    `create table usage (
      account_id text not null, cycle_start bigint not null, used bigint not null, primary key (account_id, cycle_start))`,
    `create table settings (
      name text primary key, value text not null)`,
    `create table changes (
      topic text not null, scope text not null, revision bigint not null, changed_at bigint not null,
      position bigint default ${position} not null, primary key (topic, scope))`,
    'create index changes_position on changes (position)',
    `create table blocklists (
      id ${id}, account_id text not null references accounts (id), environment text not null, total bigint not null,
      last_seq bigint not null, pruned_through bigint not null,
      constraint blocklists_owner unique (account_id, environment))`,
    `create table blocklist_entries (
      list_id integer not null, seq bigint not null, domain text not null, created_at bigint not null, reason text,
      primary key (list_id, seq))${withoutRowid}`,
    'create unique index blocklist_entries_domain on blocklist_entries (list_id, domain)',
    `create table blocklist_counts (
      list_id integer not null, level integer not null, block bigint not null, entries integer not null,
      primary key (list_id, level, block))${withoutRowid}`,
    removalsTable(engine),
    `create table facts (
      domain text not null, kind text not null, value text not null, source text not null, learnt_at bigint not null,
      primary key (domain, kind))`,
    'create index facts_learnt_at on facts (learnt_at)',
    `create table gates (
      id text primary key, account_id text not null references accounts (id), environment text not null,
      name text not null, description text, default_action text not null, rule_ids text not null,
      created_at bigint not null, updated_at bigint not null, wait text default '[]' not null,
      revision integer default 0 not null)`,
    'create index gates_owner on gates (account_id, environment, id)',
    `create table gate_rules (
      id text primary key, gate_id text not null references gates (id), body text not null, created_at bigint not null,
      updated_at bigint not null)`,
    'create index gate_rules_gate_id on gate_rules (gate_id)',
    `create table removed_gates (
      id text primary key)`,
    `create table decisions (
      gate_id text not null, id text not null, action text not null, rule_id text, email_key text,
      domain text not null, ip text, entry text not null)`,
    'create unique index recent_decisions_gate on decisions (gate_id, id)',
    'create index recent_decisions_id on decisions (id)',
    `create table decision_counts (
      gate_id text not null, hour bigint not null, action text not null, decisions bigint not null,
      primary key (gate_id, hour, action))`,
    'create index decision_counts_hour on decision_counts (hour)',
    `create table rule_counts (
      gate_id text not null, hour bigint not null, rule_id text not null, name text not null, matches bigint not null,
      shadow_matches bigint not null, primary key (gate_id, hour, rule_id))`,
    'create index rule_counts_hour on rule_counts (hour)',
    ...(engine === 'sqlite' ? positionTriggers : []),
  ];
}

/** SQLite has one writer, so counting gives positions in the order of the commits. A statement sets 0 where the trigger finds the row. */
const positionTriggers = [
  ['insert', 'insert', '0'],
  ['update', 'update of revision', 'old.position'],
].map(
  ([name, event, before]) => `create trigger changes_position_${name} after ${event} on changes
    begin
      update changes set position = 1 + max(${before}, (select max(position) from changes))
      where topic = new.topic and scope = new.scope;
    end`,
);

type Dialect = ReturnType<typeof dialect>;

/** The tables that came after version 0.1.0. */
export function laterTables(engine: Engine): readonly string[] {
  const written = dialect(engine);
  return laterParts.flatMap((part) => part(written));
}

const laterParts: readonly ((written: Dialect) => readonly string[])[] = [
  // Accounts: the audit trail, users of the console.
  () => [
    `create table audit (
      id text primary key, at bigint not null, actor_kind text not null, actor_id text not null, actor_from text,
      account_id text, environment text, action text not null, subject text not null, detail text not null)`,
    'create index audit_account on audit (account_id, at, id)',
    'create index audit_at on audit (at, id)',
    // For the recent changes of an environment by action.
    'create index audit_action on audit (account_id, environment, action, at)',
    `create table users (
      id text primary key, account_id text not null references accounts (id), email text not null,
      role text not null, password text, created_at bigint not null, signed_in_at bigint)`,
    'create unique index users_account_email on users (account_id, email)',
    // Accounts may invite the same address; the first user with a password has it.
    'create unique index users_email on users (email) where password is not null',
    `create table sessions (
      id text primary key, hash text not null unique, user_id text not null references users (id),
      by_link integer not null, created_at bigint not null, seen_at bigint not null, came_from text not null,
      agent text not null)`,
    'create index sessions_seen_at on sessions (seen_at)',
    'create index sessions_user_id on sessions (user_id)',
    `create table sign_in_links (
      hash text primary key, user_id text not null unique references users (id), expires_at bigint not null)`,
    `create table sign_in_tries (
      hash text primary key, tries integer not null, last_at bigint not null, forget_at bigint not null)`,
    'create index sign_in_tries_forget_at on sign_in_tries (forget_at)',
  ],
  // Lists and mail servers, and the state that processes share.
  ({ bytes }) => [
    `create table operator_entries (
      list text not null, entry text not null, added_at bigint not null, primary key (list, entry))`,
    `create table mail_host_domains (
      host text not null, domain text not null, seen_at bigint not null, primary key (host, domain))`,
    'create index mail_host_domains_seen_at on mail_host_domains (seen_at)',
    `create table learnt_mail_hosts (
      host text not null primary key, listed bigint not null, others bigint not null)`,
    `create table shared_files (
      name text primary key, sha256 text not null, size bigint not null, modified_at bigint not null, state text,
      shared_at bigint not null)`,
    `create table shared_file_parts (
      sha256 text not null, part integer not null, bytes ${bytes} not null, stored_at bigint not null,
      primary key (sha256, part))`,
    `create table list_users (
      id text primary key, host text not null, version text not null, fingerprint text not null,
      built_at text not null, seen_at bigint not null)`,
    `create table work_leases (
      name text primary key, holder text not null, ends_at bigint not null)`,
    `create table instances (
      id text primary key, seen_at bigint not null)`,
    `create table credit_leases (
      account_id text not null, cycle_start bigint not null, holder text not null, granted bigint not null,
      spent bigint not null, primary key (account_id, cycle_start, holder))`,
    'create index credit_leases_holder on credit_leases (holder)',
  ],
  // Counts of lookups.
  () => [
    `create table lookup_counts (
      account_id text not null, environment text not null, hour bigint not null, lookups bigint not null,
      disposable bigint not null, relay bigint not null, no_mail bigint not null, not_found_out bigint not null,
      peak bigint not null, primary key (account_id, environment, hour))`,
    'create index lookup_counts_hour on lookup_counts (hour)',
    `create table lookup_domains (
      account_id text not null, environment text not null, quarter bigint not null, domain text not null,
      lookups bigint not null, primary key (account_id, environment, quarter, domain))`,
    'create index lookup_domains_quarter on lookup_domains (quarter)',
  ],
  // Gates and the log of decisions.
  ({ number, bigint, bytes, withoutRowid }) => [
    `create table gate_revisions (
      gate_id text not null, revision integer not null, changed_at bigint not null, actor_kind text, actor_id text,
      name text not null, default_action text not null, rules_count integer not null, changes text not null,
      size integer not null, body ${bytes} not null, primary key (gate_id, revision))`,
    'create index gate_revisions_size on gate_revisions (gate_id, changed_at, size)',
    `create table decision_segments (
      no ${number}, first_id text not null, last_id text not null, body ${bytes} not null)`,
    'create index decision_segments_first_id on decision_segments (first_id)',
    'create index decision_segments_last_id on decision_segments (last_id)',
    `create table decision_buckets (
      bucket ${bigint} primary key, merged integer not null, first_id text not null, last_id text not null)`,
    `create table decision_terms (
      bucket ${bigint} not null, part integer not null, terms ${bytes} not null, primary key (bucket, part))`,
    `create table decision_outcomes (
      gate_id text not null, decision_id text not null, outcome text not null, reason text, action text not null,
      rule_ids text not null, primary key (gate_id, decision_id))${withoutRowid}`,
    'create index decision_outcomes_outcome on decision_outcomes (gate_id, outcome, decision_id)',
    `create table environment_counts (
      account_id text not null, environment text not null, hour bigint not null, allow bigint not null,
      block bigint not null, challenge bigint not null, primary key (account_id, environment, hour))`,
    'create index environment_counts_hour on environment_counts (hour)',
    `create table rule_days (
      gate_id text not null, day bigint not null, rule_id text not null, name text not null, matches bigint not null,
      shadow_matches bigint not null, primary key (gate_id, day, rule_id))`,
    'create index rule_days_day on rule_days (day)',
  ],
  // Webhooks.
  () => [
    `create table webhooks (
      id text primary key, account_id text not null references accounts (id), environment text not null,
      url text not null, description text, events text not null, gate_ids text not null, actions text not null,
      format text not null, enabled integer not null, disabled_reason text, failing_since bigint, secret text not null,
      old_secret text, old_secret_until bigint, created_at bigint not null, updated_at bigint not null)`,
    'create index webhooks_owner on webhooks (account_id, environment)',
    `create table webhook_deliveries (
      id text primary key, webhook_id text not null, event_id text not null, event_key text, event_type text not null,
      data text not null, created_at bigint not null, state text not null, attempts integer not null, due_at bigint,
      attempted_at bigint, duration_ms integer, response_status integer, response_body text, error text)`,
    'create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at, id) where due_at is not null',
    'create unique index webhook_deliveries_key on webhook_deliveries (webhook_id, event_key)',
    'create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, id)',
    `create table removed_webhooks (
      id text primary key)`,
  ],
  // Seen domains.
  ({ number, bytes, bytewiseText, withoutRowid }) => [
    `create table seen_domains (
      day integer not null, name ${bytewiseText} not null, account_id text not null, environment text not null,
      flagged integer not null, primary key (day, name, account_id, environment))${withoutRowid}`,
    `create table seen_blocks (
      no ${number}, day integer not null, first_name text not null, last_name text not null, entries integer not null,
      body ${bytes} not null)`,
    'create index seen_blocks_day on seen_blocks (day)',
    `create table flagged_domains (
      account_id text not null, environment text not null, domain text not null, kind text not null,
      day integer not null, primary key (account_id, environment, domain, kind))`,
    'create index flagged_domains_day on flagged_domains (day)',
    `create table flag_suspects (
      domain text not null, kind text not null, noted_at bigint not null, primary key (domain, kind))`,
    `create table flag_comparisons (
      subject text primary key, compared text not null)`,
    `create table seen_days (
      key ${bytewiseText} primary key, last_day integer not null, days bigint not null, older_day integer)`,
    'create index seen_days_last_day on seen_days (last_day)',
  ],
  // Custom lists.
  ({ bytewiseText, withoutRowid }) => [
    `create table custom_lists (
      id text primary key, account_id text not null references accounts (id), environment text not null,
      name text not null, name_key text not null, kind text not null, description text, total integer not null,
      last_seq bigint not null, pruned_through bigint not null, created_at bigint not null, updated_at bigint not null)`,
    'create unique index custom_lists_name on custom_lists (account_id, environment, name_key)',
    `create table custom_list_entries (
      list_id text not null, key ${bytewiseText} not null, value text, note text, expires_at bigint,
      created_at bigint not null, actor_kind text not null, actor_id text not null, no bigint not null,
      seq bigint not null, primary key (list_id, key))${withoutRowid}`,
    'create index custom_list_entries_no on custom_list_entries (list_id, no)',
    'create index custom_list_entries_seq on custom_list_entries (list_id, seq)',
    'create index custom_list_entries_expiry on custom_list_entries (list_id, expires_at) where expires_at is not null',
    `create table custom_list_removals (
      list_id text not null, seq bigint not null, sealed_key text not null, removed_at bigint not null,
      primary key (list_id, seq))${withoutRowid}`,
  ],
  // Traffic and waves.
  ({ number, bigint, bytes }) => [
    `create table traffic_blocks (
      no ${number}, process text not null, kind text not null, created_at bigint not null, body ${bytes} not null)`,
    'create index traffic_blocks_created_at on traffic_blocks (created_at)',
    `create table waves (
      id text primary key, account_id text not null, environment text not null, kind text not null, value text,
      key ${bigint} not null, began_at bigint not null, last_at bigint not null, ended_at bigint,
      addresses integer not null, domains integer not null, ips integer not null, allow integer not null,
      block integer not null, challenge integer not null, usual_per_hour double precision not null,
      by_spellings integer not null, verdict text, created_at bigint not null, members ${bytes} not null,
      samples text not null)`,
    'create index waves_owner on waves (account_id, environment, id)',
    'create index waves_open on waves (id) where ended_at is null',
    `create table wave_settings (
      account_id text not null, environment text not null, enabled integer not null, min_addresses integer not null,
      factor integer not null, first_at bigint, primary key (account_id, environment))`,
    `create table wave_silences (
      account_id text not null, environment text not null, kind text not null, key ${bigint} not null,
      until bigint not null, primary key (account_id, environment, kind, key))`,
    `create table traffic_hours (
      account_id text not null, environment text not null, hour integer not null, body ${bytes} not null,
      primary key (account_id, environment, hour))`,
  ],
];
