import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { type LogEntry, subjectOf } from '../../api/log.ts';
import { Middle } from '../../ui/middle.tsx';
import { ActionPill } from '../../ui/pill.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import styles from './log.module.css';

/** Rows of the log, each linked to its decision. */
export function LogTable({ entries }: { entries: readonly LogEntry[] }) {
  const environment = useEnvironment();
  const columns: readonly Column<LogEntry>[] = [
    { title: 'Decision', cell: ({ action }) => <ActionPill action={action} /> },
    {
      title: 'Subject',
      isWide: true,
      cell: (entry) => (
        <Link href={`/${environment}/log/${entry.id}`} className={styles.subject} data-row-link="">
          <Middle text={subjectOf(entry)} />
        </Link>
      ),
    },
    {
      title: 'Rule',
      priority: 2,
      cell: ({ matched_rule }) => (
        <span className={styles.rule}>{matched_rule?.name ?? <em>no rule (default)</em>}</span>
      ),
    },
    { title: 'Gate', priority: 3, cell: ({ gate }) => <span className={styles.rule}>{gate.name}</span> },
    {
      title: 'IP',
      priority: 3,
      cell: ({ input }) =>
        input.ip && (
          <span className={styles.ip}>
            <Middle text={input.ip} />
          </span>
        ),
    },
    { title: 'When', isNumber: true, cell: ({ created_at }) => <Ago at={created_at} /> },
  ];
  return <Table label="Decisions" isCompact isSticky columns={columns} rows={entries} keyOf={({ id }) => id} />;
}
