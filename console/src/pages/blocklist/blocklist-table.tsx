import { type Entry, useImport, useRemove } from '../../api/blocklist.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { problemToast, toast } from '../../ui/toast.tsx';
import styles from './blocklist.module.css';
import { blocklistCsv } from './blocklist-csv.ts';

/** Entries, each with a remove button; the toast offers undo. */
export function BlocklistTable({ entries }: { entries: readonly Entry[] }) {
  const remove = useRemove();
  const add = useImport();
  const sayProblem = (error: Error) => problemToast(whatToDo(error));
  const removeOne = (entry: Entry) =>
    remove.mutate([entry.domain], {
      onError: sayProblem,
      onSuccess: () =>
        toast(`${entry.domain} was removed`, {
          label: 'Undo',
          run: () =>
            add.mutate(blocklistCsv([entry]), {
              onError: sayProblem,
              onSuccess: () => toast(`${entry.domain} was restored`),
            }),
        }),
    });
  const hasReasons = entries.some(({ reason }) => reason !== undefined);
  return (
    <Table
      label="Blocklisted domains"
      rows={entries}
      keyOf={({ domain }) => domain}
      columns={[
        {
          title: 'Domain',
          isWide: true,
          cell: ({ domain, unicode_domain }) => (
            <>
              <code>{unicode_domain ?? domain}</code>
              {unicode_domain && <span className={styles.note}> {domain}</span>}
            </>
          ),
        },
        ...(hasReasons
          ? [
              {
                title: 'Reason',
                isWide: true,
                cell: ({ reason }: Entry) => <span className={styles.reason}>{reason}</span>,
              },
            ]
          : []),
        { title: 'Added', isNumber: true, cell: ({ created_at }) => <Ago at={created_at} /> },
        {
          title: 'Remove',
          hideTitle: true,
          buttons: 'icons',
          cell: (entry) => (
            <Button
              kind="quiet"
              icon="trash"
              aria-label={`Remove ${entry.domain}`}
              title="Remove"
              busy={remove.isPending && remove.variables.includes(entry.domain)}
              onClick={() => removeOne(entry)}
            />
          ),
        },
      ]}
    />
  );
}
