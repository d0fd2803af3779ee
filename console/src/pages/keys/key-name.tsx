import { type FormEvent, useState } from 'react';
import { type Key, useRenameKey } from '../../api/keys.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { problemToast } from '../../ui/toast.tsx';
import styles from './keys.module.css';

/** The name of a key, editable in place. */
export function KeyName({ named }: { named: Key }) {
  const [typed, setTyped] = useState<string | null>(null);
  const rename = useRenameKey();
  if (typed === null) {
    return (
      <span className={styles.name}>
        {named.name ?? <em>no name</em>}
        {named.state === 'in_use' && (
          <Button
            kind="quiet"
            aria-label={`Rename ${named.name ?? named.last4}`}
            onClick={() => setTyped(named.name ?? '')}
          >
            Rename
          </Button>
        )}
      </span>
    );
  }
  const save = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate(
      { id: named.id, name: typed.trim() },
      { onSuccess: () => setTyped(null), onError: (error) => problemToast(whatToDo(error)) },
    );
  };
  return (
    <form className={styles.rename} onSubmit={save}>
      <Field label="Name" hideLabel>
        <Input
          required
          autoFocus
          maxLength={100}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={({ key }) => key === 'Escape' && setTyped(null)}
        />
      </Field>
      <Button type="submit" busy={rename.isPending}>
        Save
      </Button>
    </form>
  );
}
