import { type DragEvent, type FormEvent, useState } from 'react';
import { type CustomList, useAddEntries, usePreviewEntries } from '../../api/custom-lists.ts';
import { pastedEntries, sampleValues } from '../../text/custom-lists.ts';
import { textOfFile } from '../../text/file-text.ts';
import { counted } from '../../text/numbers.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Field, Input, Select, TextArea } from '../../ui/field.tsx';
import { ImportPreview } from '../../ui/import-preview.tsx';
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

/** Previews pasted, typed or uploaded entries, then adds the valid ones. */
export function AddEntries({ list, onClose }: { list: CustomList; onClose: () => void }) {
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const [days, setDays] = useState(0);
  const [preview, add] = [usePreviewEntries(), useAddEntries()];
  const { entries, lines, problem } = pastedEntries(text);
  const valid = preview.data ? preview.data.new + preview.data.listed : entries.length;
  const change = (next: string) => {
    setText(next);
    preview.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expires_at = days === 0 ? {} : { expires_at: new Date(Date.now() + days * dayMs).toISOString() };
    const sent = entries.map((entry) => ({ ...(note && { note }), ...expires_at, ...entry }));
    if (!preview.data) {
      preview.mutate({ listId: list.id, entries: sent });
      return;
    }
    const wrong = new Set(preview.data.errors.map(({ index }) => index));
    add.mutate(
      { listId: list.id, entries: sent.filter((_, index) => !wrong.has(index)) },
      {
        onSuccess({ added, updated }) {
          toast(`${counted(added, 'entry', 'entries')} added to ${list.name}, ${updated} updated`);
          onClose();
        },
      },
    );
  };
  const error = preview.error ?? add.error;
  const drop = async (event: DragEvent) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    change(await textOfFile(file));
  };
  return (
    <Dialog title={`Add to ${list.name}`} onClose={onClose} wide>
      <form className={styles.form} onSubmit={submit}>
        <Field
          label="Entries"
          hint="One per line, or CSV with a column “value” and optionally “note” and “expires_at”. You can also drop a file here."
          error={problem ?? (error && whatToDo(error))}
        >
          <TextArea
            mono
            required
            rows={8}
            spellCheck={false}
            placeholder={sampleValues[list.kind]}
            value={text}
            onChange={({ target }) => change(target.value)}
            onDrop={(event) => void drop(event)}
          />
        </Field>
        <Field label="Or a file">
          <Input
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) void textOfFile(file).then(change);
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
          {preview.data && (
            <ImportPreview
              {...preview.data}
              wrong_count={preview.data.errors.length}
              wrong={preview.data.errors
                .slice(0, 100)
                .map(({ index, value, error }) => ({ line: lines[index] ?? 0, text: value, error }))}
            />
          )}
        </div>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={preview.isPending || add.isPending} disabled={valid === 0}>
            {preview.data ? `Add ${counted(valid, 'entry', 'entries')}` : 'Check'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
