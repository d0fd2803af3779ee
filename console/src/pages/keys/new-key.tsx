import { type FormEvent, useState } from 'react';
import { type Environment, environments, useEnvironment } from '../../api/environment.ts';
import { useCreateKey } from '../../api/keys.ts';
import { fieldError, whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { ShownOnce } from '../../ui/dialog/shown-once.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import styles from './keys.module.css';

/** Creates a key, and shows it once. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const [environment, setEnvironment] = useState<Environment>(useEnvironment());
  const [name, setName] = useState('');
  const create = useCreateKey();
  if (create.data)
    return <Made secret={create.data.key} environment={create.data.data.environment} onClose={onClose} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!create.isPending) create.mutate({ environment, name: name.trim() });
  };
  const atName = fieldError(create.error, 'name');
  return (
    <Dialog title="New key" onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <Field label="Name" hint="What will use it, so that you recognise it in the list." error={atName}>
          <Input
            required
            autoFocus
            maxLength={100}
            placeholder="sign-up form"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Field label="Environment" error={create.error && !atName ? whatToDo(create.error) : null}>
          <Select value={environment} onChange={({ target }) => setEnvironment(target.value as Environment)}>
            {environments.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </Select>
        </Field>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={create.isPending}>
            Create key
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function Made({ secret, environment, onClose }: { secret: string; environment: Environment; onClose: () => void }) {
  return (
    <ShownOnce
      title={`Your key for ${environment}`}
      name="key"
      secret={secret}
      why="The service stores only a hash: copy it now."
      use={{ text: 'For your .env file:', label: 'Copy the line', copied: `SIGNALPOST_KEY=${secret}` }}
      onClose={onClose}
    />
  );
}
