import type { ReactNode } from 'react';
import styles from './table.module.css';

/** A column: its heading, and what stands in it for a row. */
export interface Column<Row> {
  readonly title: string;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
  /** The heading is for screen readers only. */
  readonly hideTitle?: boolean;
  /** Takes what room the others leave. */
  readonly isWide?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface Properties<Row> {
  /** What the table shows, for those who do not see its place. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** On a phone a row is two lines without headings: for cells that say by themselves what they are. */
  readonly isCompact?: boolean;
  /** Rows that came in just now. */
  readonly isFresh?: (row: Row) => boolean;
}

/** Rows in columns; on a phone each row is a card. The first link of a row is where `j` and `k` go. */
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
