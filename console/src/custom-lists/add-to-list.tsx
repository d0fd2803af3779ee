import type { CustomList } from '@signalpost/client';
import { useState } from 'react';
import { useAddEntries, useCustomLists, useRemoveEntries } from '../api/custom-lists.ts';
import type { ListKind } from '../text/custom-lists.ts';
import { whatToDo } from '../text/problems.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { problemToast, toast } from '../ui/toast.tsx';
import styles from './add-to-list.module.css';

/** Values to add, by the kind of list that takes them. */
export type Addable = Readonly<Partial<Record<ListKind, string | null | undefined>>>;

interface Properties {
  readonly values: Addable;
  /** Shows only an icon, with this accessible name. */
  readonly iconLabel?: string;
}

/** Opens the lists that take one of these values; absent while no list does. */
export function AddToList({ values, iconLabel }: Properties) {
  const [isOpen, setOpen] = useState(false);
  const lists = useCustomLists().data ?? [];
  const choices = lists.flatMap((list) => {
    const value = values[list.kind];
    return value ? [{ list, value }] : [];
  });
  if (choices.length === 0) return null;
  const open = () => setOpen(true);
  return (
    <>
      {iconLabel === undefined ? (
        <Button icon="tag" onClick={open}>
          Add to list…
        </Button>
      ) : (
        <Button kind="quiet" icon="tag" aria-label={iconLabel} title="Add to list…" onClick={open} />
      )}
      {isOpen && <Choices choices={choices} onClose={() => setOpen(false)} />}
    </>
  );
}

interface Choice {
  readonly list: CustomList;
  readonly value: string;
}

/** One choice adds the value, and the toast offers undo. */
function Choices({ choices, onClose }: { choices: readonly Choice[]; onClose: () => void }) {
  const add = useAddEntries();
  const remove = useRemoveEntries();
  const sayProblem = (error: Error) => problemToast(whatToDo(error));
  const addOne = ({ list, value }: Choice) =>
    add.mutate(
      { listId: list.id, entries: [{ value }] },
      {
        onError: sayProblem,
        onSuccess({ added, errors: [problem] }) {
          onClose();
          if (problem !== undefined) problemToast(problem.error);
          else if (added === 0) toast(`${value} is already on ${list.name}`);
          else
            toast(`${value} was added to ${list.name}`, {
              label: 'Undo',
              run: () => remove.mutate({ listId: list.id, values: [value] }, { onError: sayProblem }),
            });
        },
      },
    );
  return (
    <Dialog title="Add to a list" onClose={onClose}>
      <ul className={styles.choices}>
        {choices.map((choice) => (
          <li key={choice.list.id}>
            <Button busy={add.isPending && add.variables.listId === choice.list.id} onClick={() => addOne(choice)}>
              Add {choice.value} to {choice.list.name}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
