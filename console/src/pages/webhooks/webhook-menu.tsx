import { useState } from 'react';
import { useLocation } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { useChangeWebhook, useRemoveWebhook, useRotateSecret, type Webhook } from '../../api/webhooks.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { toast } from '../../ui/toast.tsx';
import { SecretOnce } from './secret-once.tsx';
import { WebhookForm } from './webhook-form.tsx';
import styles from './webhooks.module.css';

/** The actions on a webhook. */
export function WebhookMenu({ webhook }: { webhook: Webhook }) {
  const [dialog, setDialog] = useState<'change' | 'rotate' | 'remove' | null>(null);
  const properties = { webhook, onClose: () => setDialog(null) };
  return (
    <>
      <Menu label="More for this webhook">
        <MenuItem onChoose={() => setDialog('change')}>Edit…</MenuItem>
        <MenuItem onChoose={() => setDialog('rotate')}>New secret…</MenuItem>
        <MenuItem onChoose={() => setDialog('remove')}>Delete…</MenuItem>
      </Menu>
      {dialog === 'change' && <ChangeDialog {...properties} />}
      {dialog === 'rotate' && <RotateDialog {...properties} />}
      {dialog === 'remove' && <RemoveDialog {...properties} />}
    </>
  );
}

interface DialogProperties {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

function ChangeDialog({ webhook, onClose }: DialogProperties) {
  const change = useChangeWebhook(webhook.id);
  const { url, description, events, gate_ids, actions, format } = webhook;
  return (
    <Dialog title="Edit webhook" onClose={onClose}>
      <WebhookForm
        begin={{ url, description, events, gate_ids, actions, format }}
        label="Save"
        isBusy={change.isPending}
        error={change.error}
        onSubmit={(draft) => change.mutate(draft, { onSuccess: onClose })}
        onCancel={onClose}
      />
    </Dialog>
  );
}

function RotateDialog({ webhook, onClose }: DialogProperties) {
  const rotate = useRotateSecret(webhook.id);
  if (rotate.data) return <SecretOnce title="New secret" secret={rotate.data.secret} onClose={onClose} />;
  return (
    <Dialog title="New secret" onClose={onClose}>
      <div className={styles.form}>
        <p>
          {webhook.format === 'standard'
            ? 'For 24 hours deliveries are signed with both secrets, so that the receiver can switch without missing any.'
            : 'Deliveries are signed only with the new secret from now on: this format allows one signature.'}
        </p>
        {rotate.error && <p role="alert">{whatToDo(rotate.error)}</p>}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={rotate.isPending} onClick={() => rotate.mutate()}>
            Create new secret
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
}

function RemoveDialog({ webhook, onClose }: DialogProperties) {
  const environment = useEnvironment();
  const [, navigate] = useLocation();
  const remove = useRemoveWebhook(webhook.id);
  const run = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        toast('Webhook deleted');
        navigate(`/${environment}/webhooks`);
      },
    });
  return (
    <Dialog title="Delete webhook" onClose={onClose}>
      <div className={styles.form}>
        <p>
          <code>{webhook.url}</code> receives no more events. Its deliveries are deleted, including pending ones.
        </p>
        {remove.error && <p role="alert">{whatToDo(remove.error)}</p>}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" busy={remove.isPending} onClick={run}>
            Delete in {environment}
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
}
