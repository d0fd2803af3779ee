import type { Environment } from '../http/endpoint.ts';
import { blockLine, compressLines, keepRows, readBlock } from '../platform/block-codec.ts';
import type { SeenBlock, SeenRow } from './seen-store.ts';

/** Rows of one day as a block, in the order of their names. */
export function encodeSeen(rows: readonly SeenRow[]): SeenBlock {
  const sorted = rows.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return {
    first_name: sorted[0]?.name ?? '',
    last_name: sorted.at(-1)?.name ?? '',
    entries: rows.length,
    body: compressLines(
      sorted.map(({ name, account_id, environment, flagged }) => blockLine([name, account_id, environment, flagged])),
    ),
  };
}

export function decodeSeen(body: Uint8Array): SeenRow[] {
  return readBlock(body).map(([name = '', account_id = '', environment, flagged]) => {
    return { name, account_id, environment: environment as Environment, flagged: Number(flagged) };
  });
}

/** A block without an account's rows, or those about one name; null when it has none of them, 'empty' when no others are left. */
export function withoutAccount(body: Uint8Array, accountId: string, name: string | null): SeenBlock | 'empty' | null {
  const isKept = (row: SeenRow): boolean => row.account_id !== accountId || (name !== null && row.name !== name);
  return keepRows(decodeSeen(body), isKept, encodeSeen);
}
