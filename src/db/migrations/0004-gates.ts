import type { Transaction } from 'kysely';
import type { Migration } from '../migrate.ts';
import type { Schema } from '../schema.ts';

/** Gates and their rules, the log of decisions, and what was counted of them. */
export const gates: Migration = {
  id: '0004-gates',
  async up(db) {
    await createGates(db);
    await createDecisions(db);
    await createCounts(db);
  },
};

async function createGates(db: Transaction<Schema>): Promise<void> {
  await db.schema
    .createTable('gates')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('default_action', 'text', (column) => column.notNull())
    .addColumn('rule_ids', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('gates_owner').on('gates').columns(['account_id', 'environment', 'id']).execute();
  await db.schema
    .createTable('gate_rules')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('gate_id', 'text', (column) => column.notNull().references('gates.id'))
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('gate_rules_gate_id').on('gate_rules').column('gate_id').execute();
  await db.schema
    .createTable('removed_gates')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .execute();
}

/** Every filter of the log has an index that is already in the order of the log, and there are no others: each costs every entry. */
async function createDecisions(db: Transaction<Schema>): Promise<void> {
  await db.schema
    .createTable('decisions')
    .addColumn('gate_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('rule_id', 'text')
    .addColumn('email_key', 'text')
    .addColumn('domain', 'text', (column) => column.notNull())
    .addColumn('ip', 'text')
    .addColumn('entry', 'text', (column) => column.notNull())
    .execute();
  const { schema } = db;
  for (const column of ['action', 'domain']) {
    await schema.createIndex(`decisions_${column}`).on('decisions').columns(['gate_id', column, 'id']).execute();
  }
  for (const column of ['rule_id', 'email_key', 'ip']) {
    await schema
      .createIndex(`decisions_${column}`)
      .on('decisions')
      .columns(['gate_id', column, 'id'])
      .where(column, 'is not', null)
      .execute();
  }
  // The last one, and no primary key: of two indexes it thinks equally good SQLite takes the older.
  await schema.createIndex('decisions_gate').on('decisions').columns(['gate_id', 'id']).unique().execute();
}

async function createCounts(db: Transaction<Schema>): Promise<void> {
  await db.schema
    .createTable('decision_counts')
    .addColumn('gate_id', 'text', (column) => column.notNull())
    .addColumn('hour', 'bigint', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('decisions', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('decision_counts_pkey', ['gate_id', 'hour', 'action'])
    .execute();
  await db.schema.createIndex('decision_counts_hour').on('decision_counts').column('hour').execute();
  await db.schema
    .createTable('rule_counts')
    .addColumn('gate_id', 'text', (column) => column.notNull())
    .addColumn('hour', 'bigint', (column) => column.notNull())
    .addColumn('rule_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('matches', 'bigint', (column) => column.notNull())
    .addColumn('shadow_matches', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('rule_counts_pkey', ['gate_id', 'hour', 'rule_id'])
    .execute();
  await db.schema.createIndex('rule_counts_hour').on('rule_counts').column('hour').execute();
}
