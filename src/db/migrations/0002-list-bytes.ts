import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Stores the size of each custom list, because an account's lists have a limit in bytes. */
export const listBytes: Migration = {
  id: '0002-list-bytes',
  async up(db) {
    await sql`alter table custom_lists add column bytes bigint not null default 0`.execute(db);
    await sql`update custom_lists set bytes = (select coalesce(sum(octet_length(key) + octet_length(coalesce(value, ''))
      + octet_length(coalesce(note, '')) + 100), 0) from custom_list_entries where list_id = custom_lists.id)`.execute(
      db,
    );
  },
};
