import { type FormEvent, useState } from 'react';
import { type CustomList, useChangeList, useCreateList } from '../../api/custom-lists.ts';
import { kindNames, type ListKind } from '../../text/custom-lists.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Field, Input, Select, TextArea } from '../../ui/field.tsx';
import styles from './custom-lists.module.css';

interface Properties {
  /** Null for a new list. */
  readonly list: CustomList | null;
  readonly onDone: (list: CustomList) => void;
  readonly onClose: () => void;
}

/** Creates a list, or changes its name and description. */
export function ListForm({ list, onDone, onClose }: Properties) {
  const [name, setName] = useState(list?.name ?? '');
  const [kind, setKind] = useState<ListKind>(list?.kind ?? 'email');
  const [description, setDescription] = useState(list?.description ?? '');
  const create = useCreateList();
  const change = useChangeList(list?.id ?? '');
  const error = create.error ?? change.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const texts = { name, description: description === '' ? null : description };
    if (list === null) create.mutate({ ...texts, kind }, { onSuccess: onDone });
    else change.mutate(texts, { onSuccess: onDone });
  };
  return (
    <Dialog title={list === null ? 'New list' : 'Rename list'} onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <Field label="Name" error={error && whatToDo(error)}>
          <Input
            required
            maxLength={120}
            placeholder="Customers"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        {list === null && (
          <Field label="Entries are" hint="It decides which fields a rule can compare with the list.">
            <Select value={kind} onChange={({ target }) => setKind(target.value as ListKind)}>
              {Object.entries(kindNames).map(([each, text]) => (
                <option key={each} value={each}>
                  {text}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Field label="Description">
          <TextArea
            rows={2}
            maxLength={500}
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
        </Field>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={create.isPending || change.isPending}>
            {list === null ? 'Create list' : 'Save'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
