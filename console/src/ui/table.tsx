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
  /** When the table is narrow, columns of priority 3 leave first, then those of 2; as cards, rows show all of them. */
  readonly priority?: 2 | 3;
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
  /** The row that is open beside the table. */
  readonly chosen?: string | undefined;
  /** The heading stays visible while the page scrolls. */
  readonly isSticky?: boolean;
}

/** A table; where there is little room each row is a card. `j` and `k` focus the first link of a row. */
export function Table<Row>(properties: Properties<Row>) {
  const { label, columns, rows, keyOf, isCompact = false, isFresh, chosen, isSticky = false } = properties;
  return (
    <div className={styles.frame}>
      <table
        className={styles.table}
        aria-label={label}
        data-compact={isCompact || undefined}
        data-sticky={isSticky || undefined}
      >
        <thead>
          <tr>
            {columns.map(({ title, isNumber, hideTitle, isWide, priority }) => (
              <th
                key={title}
                scope="col"
                data-number={isNumber || undefined}
                data-wide={isWide || undefined}
                data-priority={priority}
              >
                {hideTitle ? <span className="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              data-row=""
              data-fresh={isFresh?.(row) || undefined}
              data-chosen={(chosen !== undefined && keyOf(row) === chosen) || undefined}
            >
              {columns.map(({ title, isNumber, hideTitle, isWide, priority, cell }) => (
                <td
                  key={title}
                  data-label={hideTitle ? undefined : title}
                  data-number={isNumber || undefined}
                  data-wide={isWide || undefined}
                  data-priority={priority}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
