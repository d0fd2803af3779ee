import { type DragEvent, type FormEvent, useState } from 'react';
import { type CustomList, useAddEntries } from '../../api/custom-lists.ts';
import { pastedEntries, sampleValues } from '../../text/custom-lists.ts';
import { textOfFile } from '../../text/file-text.ts';
import { counted } from '../../text/numbers.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Field, Input, Select, TextArea } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './custom-lists.module.css';

const dayMs = 86_400_000;
/** How long entries stay, in days; 0: they never expire. */
const spans: readonly (readonly [days: number, label: string])[] = [
  [0, 'never'],
  [1, 'in a day'],
  [7, 'in 7 days'],
  [30, 'in 30 days'],
  [90, 'in 90 days'],
  [365, 'in a year'],
];

/** Adds pasted, typed or uploaded entries, and shows what is wrong with the others. */
export function AddEntries({ list, onClose }: { list: CustomList; onClose: () => void }) {
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const [days, setDays] = useState(0);
  const add = useAddEntries();
  const { entries, problem } = pastedEntries(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expires_at = days === 0 ? {} : { expires_at: new Date(Date.now() + days * dayMs).toISOString() };
    const sent = entries.map((entry) => ({ ...(note && { note }), ...expires_at, ...entry }));
    add.mutate(
      { listId: list.id, entries: sent },
      {
        onSuccess({ added, updated, errors }) {
          toast(`${counted(added, 'entry', 'entries')} added to ${list.name}, ${updated} updated`);
          if (errors.length === 0) onClose();
          else setText(errors.map(({ value }) => value).join('\n'));
        },
      },
    );
  };
  const drop = async (event: DragEvent) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    setText(await textOfFile(file));
  };
  return (
    <Dialog title={`Add to ${list.name}`} onClose={onClose} wide>
      <form className={styles.form} onSubmit={submit}>
        <Field
          label="Entries"
          hint="One per line, or CSV with a column “value” and optionally “note” and “expires_at”. You can also drop a file here."
          error={problem ?? (add.error && whatToDo(add.error))}
        >
          <TextArea
            mono
            required
            rows={8}
            spellCheck={false}
            placeholder={sampleValues[list.kind]}
            value={text}
            onChange={({ target }) => setText(target.value)}
            onDrop={(event) => void drop(event)}
          />
        </Field>
        <Field label="Or a file">
          <Input
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) void textOfFile(file).then(setText);
            }}
          />
        </Field>
        <Field label="Expires">
          <Select value={days} onChange={({ target }) => setDays(Number(target.value))}>
            {spans.map(([each, label]) => (
              <option key={each} value={each}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Note">
          <Input
            maxLength={500}
            placeholder="Ticket 4711"
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        </Field>
        <div role="status">
          {add.data && add.data.errors.length > 0 && (
            <ul className={styles.wrong}>
              {add.data.errors.slice(0, 100).map(({ index, value, error }) => (
                <li key={index}>
                  <code>{value}</code>: {error}
                </li>
              ))}
            </ul>
          )}
        </div>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={add.isPending} disabled={entries.length === 0}>
            Add {counted(entries.length, 'entry', 'entries')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
