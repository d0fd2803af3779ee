import { type DragEvent, type FormEvent, useState } from 'react';
import { useImport, usePreview } from '../../api/blocklist.ts';
import { useEnvironment } from '../../api/environment.ts';
import { importedText, importLabel } from '../../text/blocklist.ts';
import { textOfFile } from '../../text/file-text.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ImportPreview } from '../../ui/import-preview.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './blocklist.module.css';

/** Previews pasted or dropped domains, then adds the valid ones. */
export function AddDomains({ initial, onClose }: { initial: string; onClose: () => void }) {
  const environment = useEnvironment();
  const [text, setText] = useState(initial);
  const preview = usePreview();
  const add = useImport();
  const good = preview.data ? preview.data.new - preview.data.full : 0;
  const changed = preview.data?.changed ?? 0;
  const change = (next: string) => {
    setText(next);
    preview.reset();
  };
  const drop = async (event: DragEvent) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    change(await textOfFile(file));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!preview.data) preview.mutate(text);
    else
      add.mutate(text, {
        onSuccess(result) {
          toast(`${importedText(result.added, result.changed)} on the blocklist of ${environment}`);
          onClose();
        },
      });
  };
  const error = preview.error ?? add.error;
  return (
    <Dialog title={`Add to the blocklist of ${environment}`} onClose={onClose} wide>
      <form className={styles.form} onSubmit={submit}>
        <Field
          label="Domains"
          hint="One per line, or CSV with the columns “domain” and “reason”. You can also drop or choose a file."
          error={error && whatToDo(error)}
        >
          <TextArea
            mono
            required
            autoFocus
            rows={10}
            spellCheck={false}
            placeholder={'spammers.example\ncompetitor.example'}
            value={text}
            onChange={({ target }) => change(target.value)}
            onDrop={(event) => void drop(event)}
          />
        </Field>
        <label className={styles.file}>
          <Icon name="upload" />
          Choose a file…
          <input
            type="file"
            className="visually-hidden"
            accept=".txt,.csv,text/plain,text/csv"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) void textOfFile(file).then(change);
              // The same file may be chosen again after it was edited.
              target.value = '';
            }}
          />
        </label>
        <div role="status">{preview.data && <ImportPreview {...preview.data} />}</div>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            busy={preview.isPending || add.isPending}
            disabled={preview.data !== undefined && good + changed === 0}
          >
            {preview.data ? importLabel(good, changed) : 'Check'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
