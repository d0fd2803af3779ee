import { type ReactNode, startTransition, useEffect, useState } from 'react';
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
  /** Its cells hold buttons; in a card, icons of the last column are beside the first line. */
  readonly buttons?: 'icons' | 'words';
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

/** More rows in one task would block the page. */
const rowsAtOnce = 12;

/** The least height of a row, as in the style sheet. */
const rowHeight = 36;

/** The rows to render now: after each frame up to `rowsAtOnce` more. */
function useGradually<Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  const [known, setKnown] = useState<ReadonlySet<string>>(new Set());
  let added = 0;
  const end = rows.findIndex((row) => !known.has(keyOf(row)) && ++added > rowsAtOnce);
  const shown = end === -1 ? rows : rows.slice(0, end);
  useEffect(() => {
    if (end === -1) return;
    const next = () => startTransition(() => setKnown(new Set(shown.map(keyOf))));
    const frame = requestAnimationFrame(next);
    return () => cancelAnimationFrame(frame);
  });
  return shown;
}

/** A table; where there is little room each row is a card. `j` and `k` focus the first link of a row. */
export function Table<Row>(properties: Properties<Row>) {
  const { label, columns, rows, keyOf, isCompact = false, isFresh, chosen, isSticky = false } = properties;
  const shown = useGradually(rows, keyOf);
  /** The last column that stays when those of this priority leave. */
  const lastWithout = (left: 2 | 3) => columns.findLast(({ priority = 1 }) => priority < left);
  const looksOf = (column: Column<Row>) => ({
    'data-number': column.isNumber || undefined,
    'data-wide': column.isWide || undefined,
    'data-priority': column.priority,
    'data-buttons': column.buttons,
    'data-last-without': ([3, 2] as const).find((left) => column === lastWithout(left)),
  });
  return (
    // Reserves the height of the rows that follow, so that the content below does not move.
    <div className={styles.frame} style={{ paddingBottom: (rows.length - shown.length) * rowHeight }}>
      <table
        className={styles.table}
        aria-label={label}
        data-compact={isCompact || undefined}
        data-sticky={isSticky || undefined}
        data-corner={columns.at(-1)?.buttons === 'icons' || undefined}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" {...looksOf(column)}>
                {column.hideTitle ? <span className="visually-hidden">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr
              key={keyOf(row)}
              data-row=""
              data-fresh={isFresh?.(row) || undefined}
              data-chosen={(chosen !== undefined && keyOf(row) === chosen) || undefined}
            >
              {columns.map((column) => (
                <td key={column.title} data-label={column.hideTitle ? undefined : column.title} {...looksOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
