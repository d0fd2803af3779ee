import { type RawBuilder, sql } from 'kysely';
import type { Db } from './db.ts';

/** The SQL types that a column of passed rows can have. `boolean` is 0 or 1, as in every table. */
type ColumnType = 'text' | 'integer' | 'bigint' | 'boolean';
export type ColumnTypes = Readonly<Record<string, ColumnType>>;
interface ColumnValues {
  readonly text: string;
  readonly integer: number;
  readonly bigint: number;
  readonly boolean: boolean;
}

/** A row to pass, by column name. */
export type PassedRow<Columns extends ColumnTypes> = {
  readonly [Name in keyof Columns]: ColumnValues[Columns[Name]] | null;
};

/**
 * Rows that a statement takes as one JSON parameter and reads as a table. The statement is the same for any number of rows, so
 * it can be compiled and prepared once.
 */
export interface RowsParameter<Columns extends ColumnTypes> {
  /** A subquery with the columns and `position`, which counts from 0. Without rows, for a compiled statement, the parameter is left open. */
  table(rows?: readonly PassedRow<Columns>[]): RawBuilder<unknown>;
  /** The parameter's value for `withParameters`. */
  encode(rows: readonly PassedRow<Columns>[]): string;
}

/** Describes rows to pass; use the result for every statement that takes such rows. */
export function rowsParameter<const Columns extends ColumnTypes>(
  { engine }: Pick<Db, 'engine'>,
  columns: Columns,
): RowsParameter<Columns> {
  const names = Object.keys(columns);
  const encode = (rows: readonly PassedRow<Columns>[]): string =>
    JSON.stringify(rows.map((row) => names.map((name) => jsonValue(row[name]))));
  const read = engine === 'postgres' ? postgresColumn : sqliteColumn;
  const selected = sql.join(Object.entries(columns).map(([name, type], index) => read(name, type, index)));
  return {
    encode,
    table(rows = []) {
      const json = encode(rows);
      return engine === 'postgres'
        ? sql`(select position - 1 as position, ${selected}
            from json_array_elements(${json}::json) with ordinality as passed (value, position))`
        : sql`(select key as position, ${selected} from json_each(${json}))`;
    },
  };
}

/** PostgreSQL rejects JSON with half a surrogate pair; as a plain parameter it would become U+FFFD. */
function jsonValue(value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

function postgresColumn(name: string, type: ColumnType, index: number): RawBuilder<unknown> {
  const cast = sql.raw(type === 'boolean' ? 'boolean::integer' : type);
  return sql`(value->>${sql.lit(index)})::${cast} as ${sql.ref(name)}`;
}

/** SQLite keeps the type that the value has in the JSON, and reads `true` as 1. */
function sqliteColumn(name: string, _type: ColumnType, index: number): RawBuilder<unknown> {
  return sql`value->>${sql.lit(index)} as ${sql.ref(name)}`;
}
