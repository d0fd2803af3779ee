import type { CustomList } from '@signalpost/client';
import { useAddEntries, useCustomLists, useRemoveEntries } from '../api/custom-lists.ts';
import type { ListKind } from '../text/custom-lists.ts';
import { whatToDo } from '../text/problems.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { problemToast, toast } from '../ui/toast.tsx';

/** What can be added, by the kind of list that takes it. */
export type Addable = Readonly<Partial<Record<ListKind, string | null | undefined>>>;

/** A menu of the lists that take one of these values; one choice adds it, and the toast offers undo. */
export function AddToList({ values, label = 'Add to list…' }: { values: Addable; label?: string }) {
  const lists = useCustomLists().data ?? [];
  const add = useAddEntries();
  const remove = useRemoveEntries();
  const choices = lists.flatMap((list) => {
    const value = values[list.kind];
    return value ? [{ list, value }] : [];
  });
  if (choices.length === 0) return null;
  const sayProblem = (error: Error) => problemToast(whatToDo(error));
  const addOne = (list: CustomList, value: string) =>
    add.mutate(
      { listId: list.id, entries: [{ value }] },
      {
        onError: sayProblem,
        onSuccess({ added, errors: [problem] }) {
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
    <Menu label={label}>
      {choices.map(({ list, value }) => (
        <MenuItem key={list.id} onChoose={() => addOne(list, value)}>
          Add {value} to {list.name}
        </MenuItem>
      ))}
    </Menu>
  );
}
