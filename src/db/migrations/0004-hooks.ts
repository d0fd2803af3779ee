import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

const statements = [
  `create table hooks (
    id text primary key, account_id text not null references accounts (id), environment text not null,
    name text not null, gate_id text not null, format text not null, enabled integer not null,
    challenge text not null, unavailable text not null, message text not null, secret text, old_secret text,
    old_secret_until bigint, last_call_at bigint, last_error text, created_at bigint not null,
    updated_at bigint not null)`,
  'create index hooks_owner on hooks (account_id, environment)',
  `create table hook_calls (
    hook_id text not null, slot bigint not null, allow bigint not null, block bigint not null,
    no_email bigint not null, unavailable bigint not null, rejected bigint not null, disabled bigint not null,
    primary key (hook_id, slot))`,
  'create index hook_calls_slot on hook_calls (slot)',
];

/** Hooks for auth servers, and counts of their calls. */
export const hooks: Migration = {
  id: '0004-hooks',
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
