import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { clientOf, useClient } from '../../api/client.ts';
import { type Environment, environments, useEnvironment } from '../../api/environment.ts';
import { useForgetGate, type WholeRevision } from '../../api/gate.ts';
import { sendable } from '../../gate-editor/gate.ts';
import { counted } from '../../text/numbers.ts';
import { fieldError, whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { toast } from '../../ui/toast.tsx';
import { withListsOf } from './copied-lists.ts';
import styles from './gates.module.css';

interface Properties {
  readonly gateId: string;
  readonly gate: WholeRevision;
}

/** The actions on a whole gate. */
export function GateMenu(properties: Properties) {
  const [dialog, setDialog] = useState<'rename' | 'copy' | 'delete' | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <Menu label="More for this gate">
        <MenuItem onChoose={() => setDialog('rename')}>Rename…</MenuItem>
        <MenuItem onChoose={() => setDialog('copy')}>Copy to another environment…</MenuItem>
        <MenuItem onChoose={() => setDialog('delete')}>Delete…</MenuItem>
      </Menu>
      {dialog === 'rename' && <RenameDialog {...properties} onClose={close} />}
      {dialog === 'copy' && <CopyDialog {...properties} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog {...properties} onClose={close} />}
    </>
  );
}

type DialogProperties = Properties & { readonly onClose: () => void };

function RenameDialog({ gateId, gate, onClose }: DialogProperties) {
  const environment = useEnvironment();
  const client = useClient();
  const forget = useForgetGate();
  const [name, setName] = useState(gate.name);
  const [description, setDescription] = useState(gate.description ?? '');
  const save = useMutation({
    mutationFn: () => client.gates.update(gateId, { name, description: description === '' ? null : description }),
    onSuccess: async () => {
      await forget(environment, gateId);
      onClose();
    },
  });
  return (
    <Dialog title="Rename the gate" onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Field label="Name" error={fieldError(save.error, 'name')}>
          <Input value={name} maxLength={120} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Field label="Description" error={fieldError(save.error, 'description')}>
          <Input value={description} maxLength={500} onChange={({ target }) => setDescription(target.value)} />
        </Field>
        {save.error && (
          <p className={styles.error} role="alert">
            {whatToDo(save.error)}
          </p>
        )}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={save.isPending}>
            Save
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function CopyDialog({ gate, onClose }: DialogProperties) {
  const here = useEnvironment();
  const [, navigate] = useLocation();
  const others = environments.filter((environment) => environment !== here);
  const [target, setTarget] = useState<Environment>(others[0] ?? here);
  const forget = useForgetGate();
  const copy = useMutation({
    mutationFn: async () => {
      const mapped = await withListsOf(clientOf(target), clientOf(here), gate.rules);
      const rules = mapped.map((rule) => sendable({ ...rule, id: null }));
      const { name, description, default_action, wait } = gate;
      const made = await clientOf(target).gates.create({ name, description, default_action, wait, rules } as never);
      await forget(target, made.id);
      return made;
    },
    onSuccess: (made) => {
      toast(`Copied to ${target}`);
      onClose();
      navigate(`/${target}/gates/${made.id}`);
    },
  });
  return (
    <Dialog title="Copy to another environment" onClose={onClose}>
      <p>
        Creates a gate with the {counted(gate.rules.length, 'saved rule')} of this one, and lists that they use and that{' '}
        {target} does not have. Its log and statistics stay here.
      </p>
      <Field label="Copy to">
        <Select value={target} onChange={({ target: { value } }) => setTarget(value as Environment)}>
          {others.map((environment) => (
            <option key={environment}>{environment}</option>
          ))}
        </Select>
      </Field>
      {copy.error && (
        <p className={styles.error} role="alert">
          {whatToDo(copy.error)}
        </p>
      )}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" busy={copy.isPending} onClick={() => copy.mutate()}>
          Copy to {target}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function DeleteDialog({ gateId, gate, onClose }: DialogProperties) {
  const environment = useEnvironment();
  const client = useClient();
  const [, navigate] = useLocation();
  const forget = useForgetGate();
  const [typed, setTyped] = useState('');
  const remove = useMutation({
    mutationFn: () => client.gates.delete(gateId),
    onSuccess: async () => {
      onClose();
      navigate(`/${environment}/gates`);
      toast(`“${gate.name}” was deleted`);
      await forget(environment, gateId);
    },
  });
  return (
    <Dialog title="Delete the gate" onClose={onClose}>
      <p>
        This deletes its rules, log and statistics; forms that call it get an error. It cannot be undone. Enter its name
        to continue: <strong>{gate.name}</strong>
      </p>
      <Field label="Gate name">
        <Input value={typed} autoComplete="off" onChange={({ target }) => setTyped(target.value)} />
      </Field>
      {remove.error && (
        <p className={styles.error} role="alert">
          {whatToDo(remove.error)}
        </p>
      )}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" disabled={typed !== gate.name} busy={remove.isPending} onClick={() => remove.mutate()}>
          Delete from {environment}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
