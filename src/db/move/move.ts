import { createHash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { errorMessage } from '../../error-message.ts';
import type { Db } from '../db.ts';
import { createMoveProgress, hasMoveProgress } from '../move-progress.ts';
import type { Schema } from '../schema.ts';
import { movedTables, numberedColumns } from './tables.ts';

export interface MovedTable extends RowsSum {
  readonly table: string;
}

/** Rows of a batch; a statement of PostgreSQL takes 65,535 values. */
const rowsPerBatch = 1_000;
/** Bytes of a batch after which no further row is added to it. */
const bytesPerBatch = 8_000_000;

/**
 * Copies everything from an embedded database into an empty PostgreSQL and compares counts and checksums. It resumes after an
 * interruption. No process can write to the source meanwhile.
 */
export async function moveDatabase(source: Db, target: Db): Promise<readonly MovedTable[]> {
  return source.transaction(async (from) => {
    await assertTargetUnused(target);
    await createMoveProgress(target);
    for (const table of movedTables.keys()) await copyTable(from, target, table);
    const moved: MovedTable[] = [];
    for (const table of movedTables.keys()) moved.push(await compareTable(from, target, table));
    await target.transaction((to) => finish(to));
    return moved;
  });
}

/** A target without progress of a move must be empty: its rows would be mixed with the copied ones. */
async function assertTargetUnused(target: Db): Promise<void> {
  if (await hasMoveProgress(target)) return;
  for (const table of movedTables.keys()) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(target.read);
    if (rows.length > 0) throw new Error(`the target is not empty: it has rows in "${table}"; nothing was copied`);
  }
}

/** Either database may have changed between two runs of a move. */
const differs = (table: string, detail: string): Error =>
  new Error(
    `"${table}" differs (${detail}): since the move began, the source was changed, or a service was started on the target; ` +
      'empty the target and move again',
  );

async function copyTable(from: Transaction<Schema>, target: Db, table: keyof Schema): Promise<void> {
  const { rows: noted } = await sql<{ through: string }>`
    select copied_through as through from move_progress where name = ${table}`.execute(target.read);
  const after = noted[0] === undefined ? null : (JSON.parse(noted[0].through) as Key);
  for await (const { rows, through } of batches(from, table, after)) {
    await target.transaction(async (to) => {
      await insertRows(to, table, rows).catch((error) => {
        throw isConflict(error) ? differs(table, errorMessage(error)) : error;
      });
      await sql`insert into move_progress (name, copied_through) values (${table}, ${JSON.stringify(through)})
        on conflict (name) do update set copied_through = excluded.copied_through`.execute(to);
    });
  }
}

/** Integrity constraint violations of PostgreSQL: a row is there already, or the one it refers to is not. */
const isConflict = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('23');

/** The values that tell a row from all others of its table. */
type Key = readonly unknown[];

/** The rows of a table behind a key, in the order of keys, each batch with the key of its last row. */
async function* batches(
  from: Transaction<Schema>,
  table: keyof Schema,
  after: Key | null,
): AsyncGenerator<{ rows: readonly Row[]; through: Key }> {
  const columns = movedTables.get(table) ?? [];
  const order = sql.join(columns.map((column) => sql.ref(column)));
  for (let through = after; ; ) {
    const behind = through === null ? sql`` : sql`where (${order}) > (${sql.join(through)})`;
    const { rows } = await sql<Row>`select * from ${sql.table(table)} ${behind}
      order by ${order} limit ${sql.lit(rowsPerBatch)}`.execute(from);
    const batch = fitting(rows);
    const last = batch.at(-1);
    if (last === undefined) return;
    through = columns.map((column) => last[column]);
    yield { rows: batch, through };
  }
}

/** As many rows as may be sent at a time, and at least one. */
function fitting(rows: readonly Row[]): readonly Row[] {
  let bytes = 0;
  const tooMany = rows.findIndex((row) => {
    bytes += sizeOf(row);
    return bytes > bytesPerBatch;
  });
  return tooMany === -1 ? rows : rows.slice(0, Math.max(1, tooMany));
}

function sizeOf(row: Row): number {
  return Object.values(row).reduce<number>((sum, value) => {
    if (value instanceof Uint8Array) return sum + value.length;
    return sum + (typeof value === 'string' ? value.length : 8);
  }, 0);
}

async function insertRows(to: Transaction<Schema>, table: keyof Schema, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column] ?? null))})`);
  // A number that the database would give itself is taken over: other rows refer to it.
  const overriding = numberedColumns[table] === undefined ? sql`` : sql`overriding system value`;
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))}) ${overriding}
    values ${sql.join(values)}`.execute(to);
}

async function compareTable(from: Transaction<Schema>, target: Db, table: keyof Schema): Promise<MovedTable> {
  const before = createRowsSum();
  for await (const { rows } of batches(from, table, null)) before.add(rows);
  const after = createRowsSum();
  await target.transaction(async (to) => {
    await sql`declare moved no scroll cursor for select * from ${sql.table(table)}`.execute(to);
    for (;;) {
      const { rows } = await sql<Row>`fetch ${sql.lit(rowsPerBatch)} from moved`.execute(to);
      if (rows.length === 0) break;
      after.add(rows);
    }
  });
  const [was, is] = [before.sum(), after.sum()];
  if (was.rows !== is.rows || was.checksum !== is.checksum) {
    const told = `${was.rows} rows, checksum ${was.checksum}; the copy has ${is.rows}, ${is.checksum}`;
    throw differs(table, told);
  }
  return { table, ...is };
}

/**
 * The next numbers follow those that were taken over, the notes go, and the rows are sampled: until PostgreSQL does that itself,
 * which may take a minute, it does not know how many there are, and reads a long list ten times as slowly.
 */
async function finish(to: Transaction<Schema>): Promise<void> {
  for (const [table, column] of Object.entries(numberedColumns)) {
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}),
      (select coalesce(max(${sql.ref(column)}), 0) + 1 from ${sql.table(table)}), false)`.execute(to);
  }
  await sql`drop table move_progress`.execute(to);
  await sql`analyze`.execute(to);
}

/** A row as either database returns it. */
type Row = Readonly<Record<string, unknown>>;

/** The number of a table's rows and a checksum of their contents, independent of their order. */
interface RowsSum {
  readonly rows: number;
  /** 16 hexadecimal digits. */
  readonly checksum: string;
}

function createRowsSum(): { add(rows: readonly Row[]): void; sum(): RowsSum } {
  let count = 0;
  let total = 0n;
  return {
    add(rows) {
      for (const row of rows) total = BigInt.asUintN(64, total + hashOf(row));
      count += rows.length;
    },
    sum: () => ({ rows: count, checksum: total.toString(16).padStart(16, '0') }),
  };
}

/** The databases name columns in different orders and give bytes and whole numbers in different types. */
function hashOf(row: Row): bigint {
  const columns = Object.keys(row).sort();
  const values = columns.map((column) => {
    const value = row[column];
    if (value instanceof Uint8Array) return [column, Buffer.from(value).toString('base64')];
    return [column, typeof value === 'bigint' ? Number(value) : value];
  });
  return createHash('sha256').update(JSON.stringify(values)).digest().readBigUInt64BE();
}
