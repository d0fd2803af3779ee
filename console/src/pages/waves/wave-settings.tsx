import { useState } from 'react';
import { useChangeWaveSettings, type WaveSettings } from '../../api/waves.ts';
import { grouped } from '../../text/numbers.ts';
import { fieldError, whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Switch } from '../../ui/switch.tsx';
import styles from './waves.module.css';

/** How the environment is monitored, in a dialog. */
export function WaveSettingsDialog({ settings, onClose }: { settings: WaveSettings; onClose: () => void }) {
  const [draft, setDraft] = useState(settings);
  const save = useChangeWaveSettings();
  const numberField = (label: string, name: 'min_addresses' | 'factor', [min, max]: readonly [number, number]) => (
    <Field label={label} hint={`${min} to ${grouped(max)}`} error={fieldError(save.error, name)}>
      <Input
        type="number"
        min={min}
        max={max}
        required
        value={Number.isNaN(draft[name]) ? '' : draft[name]}
        onChange={({ target }) => setDraft({ ...draft, [name]: target.valueAsNumber })}
      />
    </Field>
  );
  return (
    <Dialog title="Wave settings" onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(draft, { onSuccess: onClose });
        }}
      >
        <Switch label="Watch for waves" isOn={draft.enabled} onChange={(enabled) => setDraft({ ...draft, enabled })} />
        {numberField('Minimum of addresses within an hour', 'min_addresses', [8, 1_000])}
        {numberField('Multiple of the usual hourly rate', 'factor', [2, 50])}
        {save.error && (
          <p className={styles.error} role="alert">
            {whatToDo(save.error)}
          </p>
        )}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={save.isPending}>
            Save settings
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
