import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** Which database this is; only a migration or a store that cannot do without asks for it. */
export type Engine = 'sqlite' | 'postgres';

/** One step of the schema. It runs inside the transaction that also notes it as done. */
export interface Migration {
  /** `NNNN-name`, the name of its file. */
  readonly id: string;
  up(db: Transaction<Schema>, engine: Engine): Promise<void>;
}

/** The advisory lock of PostgreSQL that migrations hold: any number nobody else takes, here the ASCII bytes of "sgnlpost". */
const migrationLock = '8315736648984785780';

/** Applies the migrations that are missing, all or none, once even when several instances start together. */
export async function migrate(db: Kysely<Schema>, engine: Engine, migrations: readonly Migration[]): Promise<void> {
  if (missing(await appliedMigrations(db, engine), migrations).length === 0) return;
  await db.transaction().execute(async (trx) => {
    if (engine === 'postgres') {
      // Waiting for another instance, or changing a large table, may take longer than an ordinary statement is given.
      await sql`set local statement_timeout = 0`.execute(trx);
      await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)}::bigint)`.execute(trx);
    }
    const toApply = missing(await appliedMigrations(trx, engine), migrations);
    await createMigrationsTable(trx);
    for (const migration of toApply) {
      await migration.up(trx, engine);
      await trx.insertInto('migrations').values({ id: migration.id, applied_at: Date.now() }).execute();
    }
  });
}

function missing(applied: readonly string[], migrations: readonly Migration[]): Migration[] {
  const unknown = applied.filter((id) => !migrations.some((migration) => migration.id === id));
  if (unknown.length > 0) {
    throw new Error(`the database was made by a newer version (it has ${unknown.join(', ')}); nothing was changed`);
  }
  return migrations.filter((migration) => !applied.includes(migration.id));
}

async function appliedMigrations(db: Kysely<Schema>, engine: Engine): Promise<string[]> {
  // Not `to_regclass`: after the wait for the lock it still answers from before what the other instance committed.
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
