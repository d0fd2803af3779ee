import { type Key, useRevokeKey } from '../../api/keys.ts';
import { whatToDo } from '../../text/problems.ts';
import { ago } from '../../text/times.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { nameOf } from './key-table.tsx';
import styles from './keys.module.css';

/** Revokes a key, after stating the consequences: it cannot be undone. */
export function RevokeKey({ revoked, onClose }: { revoked: Key; onClose: () => void }) {
  const revoke = useRevokeKey();
  const run = () =>
    revoke.mutate(revoked.id, {
      onSuccess: () => {
        toast(`${nameOf(revoked)} no longer works`);
        onClose();
      },
    });
  return (
    <Dialog title={`Revoke ${nameOf(revoked)}`} onClose={onClose}>
      <div className={styles.form}>
        <p>
          {revoked.last_used_at
            ? `It was last used ${ago(revoked.last_used_at)}. Programs that use it in ${revoked.environment} are rejected within a second.`
            : `It was never used. It stops working in ${revoked.environment} within a second.`}{' '}
          A revoked key cannot be restored.
        </p>
        {revoke.error && <p role="alert">{whatToDo(revoke.error)}</p>}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" busy={revoke.isPending} onClick={run}>
            Revoke in {revoked.environment}
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
}
