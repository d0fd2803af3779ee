import { type ListEntry, useAddEntries, useRemoveEntries } from '../../api/custom-lists.ts';
import { authorName } from '../../gate-editor/author.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { problemToast, toast } from '../../ui/toast.tsx';
import styles from './custom-lists.module.css';

interface Properties {
  readonly entries: readonly ListEntry[];
  readonly onRemove: (entry: ListEntry) => void;
}

/** Removes an entry; the toast offers undo. Its caller stays mounted while the table may go with the last entry. */
export function useRemovalWithUndo(listId: string): Properties['onRemove'] {
  const remove = useRemoveEntries();
  const add = useAddEntries();
  const sayProblem = (error: Error) => problemToast(whatToDo(error));
  return ({ value, note, expires_at }) =>
    remove.mutate(
      { listId, values: [value] },
      {
        onError: sayProblem,
        onSuccess: () =>
          toast(`${value} was removed`, {
            label: 'Undo',
            run: () =>
              add.mutate(
                { listId, entries: [{ value, note, expires_at }] },
                { onError: sayProblem, onSuccess: () => toast(`${value} was restored`) },
              ),
          }),
      },
    );
}

/** Entries of a list, each with a remove button. */
export function EntryTable({ entries, onRemove }: Properties) {
  return (
    <Table
      label="Entries"
      rows={entries}
      keyOf={({ value }) => value}
      columns={[
        {
          title: 'Value',
          isWide: true,
          cell: ({ value, note, expired }) => (
            <>
              <code className={expired ? styles.expired : styles.value}>{value}</code>
              {note && <div className={styles.note}>{note}</div>}
            </>
          ),
        },
        {
          title: 'Expires',
          cell: ({ expires_at, expired }) =>
            expires_at === null ? (
              <span className={styles.note}>never</span>
            ) : (
              <span className={styles.note}>
                {expired ? 'expired ' : ''}
                <Ago at={expires_at} />
              </span>
            ),
        },
        { title: 'By', priority: 3, cell: ({ created_by }) => authorName(created_by) },
        { title: 'Added', isNumber: true, priority: 2, cell: ({ created_at }) => <Ago at={created_at} /> },
        {
          title: 'Remove',
          hideTitle: true,
          buttons: 'icons',
          cell: (entry) => (
            <Button
              kind="quiet"
              icon="trash"
              aria-label={`Remove ${entry.value}`}
              title="Remove"
              onClick={() => onRemove(entry)}
            />
          ),
        },
      ]}
    />
  );
}
