import type { ReactNode } from 'react';
import styles from './table.module.css';

/** A column: its heading, and its cell for a row. */
export interface Column<Row> {
  readonly title: string;
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean;
  /** The heading is for screen readers only. */
  readonly hideTitle?: boolean;
  /** Takes the remaining width. */
  readonly isWide?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface Properties<Row> {
  /** The accessible name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** On a phone a row is two lines without headings, for self-explanatory cells. */
  readonly isCompact?: boolean;
  /** New rows. */
  readonly isFresh?: (row: Row) => boolean;
}

/** A table; on a phone each row is a card. `j` and `k` focus the first link of a row. */
export function Table<Row>({ label, columns, rows, keyOf, isCompact = false, isFresh }: Properties<Row>) {
  return (
    <table className={styles.table} aria-label={label} data-compact={isCompact || undefined}>
      <thead>
        <tr>
          {columns.map(({ title, isNumber, hideTitle, isWide }) => (
            <th key={title} scope="col" data-number={isNumber || undefined} data-wide={isWide || undefined}>
              {hideTitle ? <span className="visually-hidden">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} data-row="" data-fresh={isFresh?.(row) || undefined}>
            {columns.map(({ title, isNumber, hideTitle, isWide, cell }) => (
              <td
                key={title}
                data-label={hideTitle ? undefined : title}
                data-number={isNumber || undefined}
                data-wide={isWide || undefined}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
