import { type FormEvent, useState } from 'react';
import { type Hook, type HookWithSecret, useSetSecret } from '../../api/hooks.ts';
import { fieldError, whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './connect.module.css';

interface Properties {
  readonly hook: Hook;
  /** The auth server shows the secret, and a user pastes it here. */
  readonly isFromServer: boolean;
  readonly onSecret: (hook: HookWithSecret) => void;
}

/** Sets the secret that the auth server shows, or makes a new one. */
export function SecretForm({ hook, isFromServer, onSecret }: Properties) {
  const [secret, setSecret] = useState('');
  const set = useSetSecret(hook.id);
  const save = (value: string | null) =>
    set.mutate(value, {
      onSuccess(made) {
        setSecret('');
        toast(isFromServer ? 'Secret set' : 'New secret; the old one works for 24 hours more');
        if (!isFromServer) onSecret(made);
      },
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!set.isPending) save(secret.trim());
  };
  if (!isFromServer) {
    return (
      <div className={styles.fields}>
        <Button busy={set.isPending} onClick={() => save(null)}>
          New secret
        </Button>
        {set.error && <p role="alert">{whatToDo(set.error)}</p>}
      </div>
    );
  }
  return (
    <form className={styles.fields} onSubmit={submit}>
      <Field
        label="Secret of the auth server"
        error={set.error && (fieldError(set.error, 'secret') ?? whatToDo(set.error))}
      >
        <Input
          required
          mono
          autoComplete="off"
          spellCheck={false}
          value={secret}
          onChange={({ target }) => setSecret(target.value)}
        />
      </Field>
      <Button kind="primary" type="submit" busy={set.isPending}>
        {hook.secret_hint === null ? 'Set' : 'Replace'}
      </Button>
    </form>
  );
}
