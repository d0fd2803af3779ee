import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Who is told of events, and the events on their way. */
export const webhooks: Migration = {
  id: '0015-webhooks',
  async up(db) {
    await db.schema
      .createTable('webhooks')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('description', 'text')
      .addColumn('events', 'text', (column) => column.notNull())
      .addColumn('gate_ids', 'text', (column) => column.notNull())
      .addColumn('actions', 'text', (column) => column.notNull())
      .addColumn('format', 'text', (column) => column.notNull())
      .addColumn('enabled', 'integer', (column) => column.notNull())
      .addColumn('disabled_reason', 'text')
      .addColumn('failing_since', 'bigint')
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('old_secret', 'text')
      .addColumn('old_secret_until', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('webhooks_owner').on('webhooks').columns(['account_id', 'environment']).execute();
    await db.schema
      .createTable('webhook_deliveries')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('webhook_id', 'text', (column) => column.notNull())
      .addColumn('event_id', 'text', (column) => column.notNull())
      .addColumn('event_key', 'text')
      .addColumn('event_type', 'text', (column) => column.notNull())
      .addColumn('data', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('attempted_at', 'bigint')
      .addColumn('duration_ms', 'integer')
      .addColumn('response_status', 'integer')
      .addColumn('response_body', 'text')
      .addColumn('error', 'text')
      .execute();
    await db.schema
      .createIndex('webhook_deliveries_of_webhook')
      .on('webhook_deliveries')
      .columns(['webhook_id', 'id'])
      .execute();
    await db.schema
      .createIndex('webhook_deliveries_key')
      .unique()
      .on('webhook_deliveries')
      .columns(['webhook_id', 'event_key'])
      .execute();
    await db.schema
      .createTable('removed_webhooks')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .execute();
    // Only what waits: what was delivered is most of the table.
    await sql`create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at, id)
      where due_at is not null`.execute(db);
  },
};
