import type { Migration } from '../migrate.ts';

/** Which domains were seen to point at which mail server, and the servers that disposable services were found to use. */
export const mailHosts: Migration = {
  id: '0008-mail-hosts',
  async up(db) {
    await db.schema
      .createTable('mail_host_domains')
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('domain', 'text', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('mail_host_domains_pkey', ['host', 'domain'])
      .execute();
    await db.schema.createIndex('mail_host_domains_seen_at').on('mail_host_domains').column('seen_at').execute();
    await db.schema
      .createTable('learnt_mail_hosts')
      .addColumn('host', 'text', (column) => column.notNull().primaryKey())
      .addColumn('listed', 'bigint', (column) => column.notNull())
      .addColumn('others', 'bigint', (column) => column.notNull())
      .execute();
  },
};
