import { createHash } from 'node:crypto';

/** A row as either database returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** The number of a table's rows and a checksum of their contents, independent of their order. */
export interface RowsSum {
  readonly rows: number;
  /** 16 hexadecimal digits. */
  readonly checksum: string;
}

/** Sums up rows as they are added. */
export function createRowsSum(): { add(rows: readonly Row[]): void; sum(): RowsSum } {
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
