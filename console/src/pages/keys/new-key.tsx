import { type FormEvent, useState } from 'react';
import { type Environment, environments, useEnvironment } from '../../api/environment.ts';
import { type Key, useCreateKey } from '../../api/keys.ts';
import { fieldError, listError, whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { ShownOnce } from '../../ui/dialog/shown-once.tsx';
import { Field, Input, Select, TextArea } from '../../ui/field.tsx';
import { Switch } from '../../ui/switch.tsx';
import styles from './keys.module.css';

/** Programs keep a secret key; web pages contain a publishable one. */
const uses = ['server', 'web page'] as const;
type Use = (typeof uses)[number];

/** Creates a key, and shows it once. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const [environment, setEnvironment] = useState<Environment>(useEnvironment());
  const [name, setName] = useState('');
  const [use, setUse] = useState<Use>('server');
  const [origins, setOrigins] = useState('');
  const [disposable, setDisposable] = useState(false);
  const create = useCreateKey();
  if (create.data) return <Made secret={create.data.key} made={create.data.data} onClose={onClose} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const publishable = use === 'web page' ? { origins: origins.trim().split(/[\s,]+/), disposable } : null;
    if (!create.isPending) create.mutate({ environment, name: name.trim(), publishable });
  };
  const atName = fieldError(create.error, 'name');
  const atOrigins = listError(create.error, 'publishable.origins');
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
        <Choice label="Used by" choices={uses} value={use} onChange={setUse} />
        {use === 'web page' && (
          <>
            <Field
              label="Origins of the pages"
              hint="The key is public: it only reads hints for forms, for pages of these origins. One per line."
              error={atOrigins}
            >
              <TextArea
                required
                mono
                rows={2}
                placeholder="https://app.example.com"
                value={origins}
                onChange={({ target }) => setOrigins(target.value)}
              />
            </Field>
            <Switch
              label="Show disposable"
              hint="Hints also say that an address is disposable."
              isOn={disposable}
              onChange={setDisposable}
            />
          </>
        )}
        <Field label="Environment" error={create.error && !atName && !atOrigins ? whatToDo(create.error) : null}>
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

function Made({ secret, made, onClose }: { secret: string; made: Key; onClose: () => void }) {
  const script = `<script src="${window.location.origin}/form.js" data-key="${secret}" defer></script>`;
  const use = made.publishable
    ? { text: 'In the page, with data-signalpost on its form:', label: 'Copy the line', copied: script }
    : { text: 'For your .env file:', label: 'Copy the line', copied: `SIGNALPOST_KEY=${secret}` };
  return (
    <ShownOnce
      title={`Your key for ${made.environment}`}
      name="key"
      secret={secret}
      why="The service stores only a hash: copy it now."
      use={use}
      onClose={onClose}
    />
  );
}
