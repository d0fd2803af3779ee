import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../../api/client.ts';
import { useEnvironment } from '../../api/environment.ts';
import { useForgetGate } from '../../api/gate.ts';
import { fieldError, whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { ActionPill } from '../../ui/pill.tsx';
import styles from './gates.module.css';

/** The rules of the sign-up preset; docs/gates.md has the same table. */
const presetRules = [
  ['Blocklisted domain', 'block', 'live'],
  ['Disposable email', 'block', 'live'],
  ['No MX records', 'block', 'live'],
  ['Spam domain', 'block', 'live'],
  ['Tor, VPN or proxy', 'challenge', 'live'],
  ['Very young domain', 'challenge', 'live'],
  ['Many sign-ups from one network', 'challenge', 'shadow'],
] as const;

/** Creates a gate from a name and a preset, and opens the editor. */
export function NewGateDialog({ onClose }: { onClose: () => void }) {
  const environment = useEnvironment();
  const client = useClient();
  const [, navigate] = useLocation();
  const forget = useForgetGate();
  const [name, setName] = useState('Sign-up');
  const [preset, setPreset] = useState<'signup' | 'none'>('signup');
  const create = useMutation({
    mutationFn: () => client.gates.create({ name, preset }),
    onSuccess: async ({ id }) => {
      await forget(environment, id);
      navigate(`/${environment}/gates/${id}`);
    },
  });
  return (
    <Dialog title="New gate" onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Field label="Name" error={fieldError(create.error, 'name')}>
          <Input value={name} maxLength={120} autoFocus onChange={({ target }) => setName(target.value)} />
        </Field>
        <fieldset className={styles.presets}>
          <legend className={styles.legend}>Start with</legend>
          <label className={styles.preset}>
            <input type="radio" name="preset" checked={preset === 'signup'} onChange={() => setPreset('signup')} />
            <span>
              <strong>Rules for a sign-up form</strong>
              <ul className={styles.rules}>
                {presetRules.map(([rule, action, mode]) => (
                  <li key={rule}>
                    <ActionPill action={action} /> {mode === 'shadow' ? `${rule} (shadow: counted, not applied)` : rule}
                  </li>
                ))}
              </ul>
            </span>
          </label>
          <label className={styles.preset}>
            <input type="radio" name="preset" checked={preset === 'none'} onChange={() => setPreset('none')} />
            <span>
              <strong>No rules</strong>
              <span className={styles.soft}>Every address is allowed until you add rules.</span>
            </span>
          </label>
        </fieldset>
        {create.error && (
          <p className={styles.error} role="alert">
            {whatToDo(create.error)}
          </p>
        )}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={create.isPending}>
            Create in {environment}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
