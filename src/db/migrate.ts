import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** The kind of database. Stores do not depend on it: `db/` handles the differences. */
export type Engine = 'sqlite' | 'postgres';

/** One step of the schema. It runs inside the transaction that also records it as applied. */
export interface Migration {
  /** `NNNN-name`, the name of its file. */
  readonly id: string;
  /** Ids of earlier versions' migrations that this one replaces. */
  readonly replaces?: readonly string[];
  /** `applied` lists those of `replaces` that the database has had, in order. Throws when it cannot continue from them. */
  up(db: Transaction<Schema>, engine: Engine, applied: readonly string[]): Promise<void>;
}

/** The ids that a database may have: any other comes from a newer version. */
export function knownIds(migrations: readonly Migration[]): string[] {
  return migrations.flatMap(({ id, replaces = [] }) => [id, ...replaces]);
}

/** PostgreSQL's advisory lock for migrations, a number that no other program uses: the ASCII bytes of "sgnlpost". */
const migrationLock = '8315736648984785780';

/** Applies missing migrations, all or none, and once even when several instances start together. */
export async function migrate(db: Kysely<Schema>, engine: Engine, migrations: readonly Migration[]): Promise<void> {
  if (missing(await appliedMigrations(db, engine), migrations).length === 0) return;
  await db.transaction().execute(async (trx) => {
    if (engine === 'postgres') {
      // Waiting for another instance, or changing a large table, may take longer than the timeout of ordinary statements.
      await sql`set local statement_timeout = 0`.execute(trx);
      await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)}::bigint)`.execute(trx);
    }
    const applied = await appliedMigrations(trx, engine);
    await createMigrationsTable(trx);
    for (const { id, replaces = [], up } of missing(applied, migrations)) {
      const replaced = applied.filter((one) => replaces.includes(one));
      await up(trx, engine, replaced);
      for (const one of replaced) await trx.deleteFrom('migrations').where('id', '=', one).execute();
      await trx.insertInto('migrations').values({ id, applied_at: Date.now() }).execute();
    }
  });
}

function missing(applied: readonly string[], migrations: readonly Migration[]): Migration[] {
  const known = knownIds(migrations);
  const unknown = applied.filter((id) => !known.includes(id));
  if (unknown.length > 0) {
    throw new Error(`the database was made by a newer version (it has ${unknown.join(', ')}); nothing was changed`);
  }
  return migrations.filter((migration) => !applied.includes(migration.id));
}

async function appliedMigrations(db: Kysely<Schema>, engine: Engine): Promise<string[]> {
  // Not `to_regclass`: after waiting for the lock it does not see the other instance's commit.
  const { rows: tables } =
    engine === 'postgres'
      ? await sql`select 1 from pg_tables where tablename = 'migrations' and schemaname = current_schema()`.execute(db)
      : await sql`select 1 from sqlite_master where type = 'table' and name = 'migrations'`.execute(db);
  if (tables.length === 0) return [];
  const rows = await db.selectFrom('migrations').select('id').orderBy('id').execute();
  return rows.map((row) => row.id);
}

async function createMigrationsTable(db: Kysely<Schema>): Promise<void> {
  await db.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute();
}
