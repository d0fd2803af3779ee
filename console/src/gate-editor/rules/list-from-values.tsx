import type { ConditionField } from '@signalpost/client';
import { type FormEvent, useState } from 'react';
import { useAddEntries, useCreateList } from '../../api/custom-lists.ts';
import { counted } from '../../text/numbers.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import type { Condition } from '../gate.ts';

/** A condition with more values is easier to maintain as a list. */
const manyValues = 50;

interface Properties {
  readonly condition: Condition;
  readonly field: ConditionField | undefined;
  readonly onChange: (condition: Condition) => void;
}

/** Offers to turn the many values of a condition into a custom list. */
export function ListFromValues({ condition, field, onChange }: Properties) {
  const [isOpen, setOpen] = useState(false);
  const values = Array.isArray(condition.value) ? condition.value.map(String) : [];
  const kind = field?.list_kinds?.[0];
  if (kind === undefined || values.length <= manyValues || !/^(not_)?in$/.test(condition.operator)) return null;
  const turned = (id: string) => onChange({ ...condition, operator: `${condition.operator}_list`, value: id });
  return (
    <>
      <Button icon="tag" onClick={() => setOpen(true)}>
        Turn {counted(values.length, 'value')} into a list…
      </Button>
      {isOpen && <NewList kind={kind} values={values} onDone={turned} onClose={() => setOpen(false)} />}
    </>
  );
}

interface NewListProperties {
  readonly kind: NonNullable<ConditionField['list_kinds']>[number];
  readonly values: readonly string[];
  readonly onDone: (listId: string) => void;
  readonly onClose: () => void;
}

function NewList({ kind, values, onDone, onClose }: NewListProperties) {
  const [name, setName] = useState('');
  const create = useCreateList();
  const add = useAddEntries();
  const error = create.error ?? add.error;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const list = create.data ?? (await create.mutateAsync({ name, kind }));
    const { added, errors } = await add.mutateAsync({ listId: list.id, entries: values.map((value) => ({ value })) });
    const invalid = errors.length === 0 ? '' : `; ${counted(errors.length, 'value')} not added: invalid`;
    toast(`${list.name} has ${counted(added, 'entry', 'entries')}${invalid}`);
    onDone(list.id);
    onClose();
  };
  return (
    <Dialog title="Turn values into a list" onClose={onClose}>
      <form onSubmit={(event) => void submit(event).catch(() => {})}>
        <Field
          label="Name of the list"
          hint="The list is created now; the rule uses it once you save the gate."
          error={error && whatToDo(error)}
        >
          <Input required maxLength={120} value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={create.isPending || add.isPending}>
            Create list
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
