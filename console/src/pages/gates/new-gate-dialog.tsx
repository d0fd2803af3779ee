import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../../api/client.ts';
import { useEnvironment } from '../../api/environment.ts';
import { useForgetGate } from '../../api/gate.ts';
import { decidingList, decidingRule } from '../../custom-lists/deciding-list.ts';
import { blankRule } from '../../gate-editor/draft.ts';
import { type Rule, sendable } from '../../gate-editor/gate.ts';
import { fieldError, whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { ActionPill } from '../../ui/pill.tsx';
import styles from './gates.module.css';
import { gatePresets } from './presets.ts';

/** The rules of the sign-up preset; docs/gates.md has the same table. */
const presetRules = [
  ['Blocklisted domain', 'block', 'live', 'domain'],
  ['Disposable email', 'block', 'live', 'domain'],
  ['No MX records', 'block', 'live', 'domain'],
  ['Spam domain', 'block', 'live', 'domain'],
  ['Tor, VPN or proxy', 'challenge', 'live', 'ip'],
  ['Very young domain', 'challenge', 'live', 'domain'],
  ['Many sign-ups from one network', 'challenge', 'shadow', 'traffic'],
  ['Part of a wave', 'challenge', 'shadow', 'traffic'],
] as const;

function PresetRules({ change, hasExceptions }: { change: (rule: Rule) => Rule; hasExceptions: boolean }) {
  const rules = presetRules.map(([name, action, mode, subject]) =>
    change({ ...blankRule, name, action, mode, conditions: [{ field: `${subject}.any`, operator: 'equals' }] }),
  );
  return (
    <ul className={styles.rules}>
      {hasExceptions && (
        <li>
          <ActionPill action="allow" />
          <span>Customers: addresses on your list of that name</span>
        </li>
      )}
      {rules.map(({ name, action, mode }) => (
        <li key={name}>
          <ActionPill action={action} />
          <span>{mode === 'shadow' ? `${name} (shadow: counted, not applied)` : name}</span>
        </li>
      ))}
    </ul>
  );
}

/** Creates a gate from a name other than the existing `names` and a preset, and opens the editor. */
export function NewGateDialog({ names, onClose }: { names: readonly string[]; onClose: () => void }) {
  const environment = useEnvironment();
  const client = useClient();
  const [, navigate] = useLocation();
  const forget = useForgetGate();
  const [name, setName] = useState(names.includes('Sign-up') ? '' : 'Sign-up');
  const [preset, setPreset] = useState(gatePresets[0]);
  const create = useMutation({
    mutationFn: async () => {
      const change = preset?.change ?? null;
      const made = await client.gates.create({ name, preset: change === null ? 'none' : 'signup' });
      const list = preset?.hasExceptions === true ? await decidingList(client, 'customers') : null;
      const exceptions = list === null ? [] : [decidingRule('customers', list)];
      const rules: readonly Rule[] = change === null ? made.rules : [...exceptions, ...made.rules.map(change)];
      if (JSON.stringify(rules) !== JSON.stringify(made.rules))
        await client.gates.rules.save(made.id, {
          default_action: made.default_action,
          rules: rules.map(sendable),
        });
      return made;
    },
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
          <Input
            required
            value={name}
            maxLength={120}
            autoFocus
            placeholder="Newsletter"
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <fieldset className={styles.presets}>
          <legend className={styles.legend}>Start with</legend>
          {gatePresets.map((one) => (
            <label key={one.name} className={styles.preset}>
              <input type="radio" name="preset" checked={preset === one} onChange={() => setPreset(one)} />
              <span>
                <strong>{one.name}</strong>
                <span className={styles.soft}>{one.about}</span>
                {preset === one && one.change !== null && (
                  <PresetRules change={one.change} hasExceptions={one.hasExceptions === true} />
                )}
              </span>
            </label>
          ))}
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
