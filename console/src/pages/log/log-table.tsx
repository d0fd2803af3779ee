import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { addableOf, type LogEntry, subjectOf } from '../../api/log.ts';
import { AddToList } from '../../custom-lists/add-to-list.tsx';
import { OutcomeButtons } from '../../outcomes/outcome-buttons.tsx';
import { Middle } from '../../ui/middle.tsx';
import { ActionPill } from '../../ui/pill.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import styles from './log.module.css';

interface Properties {
  readonly entries: readonly LogEntry[];
  /** All entries belong to one gate, which the page names. */
  readonly isOneGate?: boolean;
  /** The decision that is open beside the table. */
  readonly chosen?: string | null;
  /** Opens a decision beside the table, where the screen has room for it. */
  readonly onOpen?: (id: string) => void;
}

/** Screens that have room for a decision beside the table. */
const hasRoom = () => matchMedia('(min-width: 1440px)').matches;

/** Rows of the log, each linked to its decision. */
export function LogTable({ entries, isOneGate = false, chosen, onOpen }: Properties) {
  const environment = useEnvironment();
  const columns: readonly Column<LogEntry>[] = [
    {
      title: 'Decision',
      cell: ({ action }) => (
        <span className={styles.action}>
          <ActionPill action={action} />
        </span>
      ),
    },
    {
      title: 'Subject',
      isWide: true,
      cell: (entry) => (
        <Link
          href={`/${environment}/log/${entry.id}`}
          className={styles.subject}
          data-row-link=""
          onClick={(event) => {
            if (!onOpen || !hasRoom() || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            onOpen(entry.id);
          }}
        >
          <Middle text={subjectOf(entry)} />
          <span className={styles.from}>
            {[isOneGate ? null : entry.gate.name, entry.input.ip, entry.matched_rule?.name].filter(Boolean).join(' · ')}
          </span>
        </Link>
      ),
    },
    {
      title: 'Rule',
      priority: 3,
      cell: ({ matched_rule }) => (
        <span className={styles.rule}>{matched_rule?.name ?? <em>no rule (default)</em>}</span>
      ),
    },
    ...(isOneGate
      ? []
      : [
          {
            title: 'Gate',
            priority: 3 as const,
            cell: ({ gate }: LogEntry) => <span className={styles.rule}>{gate.name}</span>,
          },
        ]),
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
    {
      title: 'Outcome',
      buttons: 'icons',
      cell: ({ id, gate, outcome }) =>
        id === 'sample' ? null : <OutcomeButtons gateId={gate.id} decisionId={id} outcome={outcome} />,
    },
    { title: 'When', isNumber: true, cell: ({ created_at }) => <Ago at={created_at} /> },
    {
      title: 'Add to list',
      hideTitle: true,
      buttons: 'icons',
      cell: (entry) => <AddToList values={addableOf(entry)} iconLabel={`Add ${subjectOf(entry)} to a list…`} />,
    },
  ];
  return (
    <Table
      label="Decisions"
      isCompact
      isSticky
      columns={columns}
      rows={entries}
      keyOf={({ id }) => id}
      chosen={chosen ?? undefined}
    />
  );
}
