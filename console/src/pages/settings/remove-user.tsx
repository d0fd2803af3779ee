import { type User, useDeleteUser } from '../../api/users.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './settings.module.css';

/** Removes a user, after stating the consequences. */
export function RemoveUser({ user, onClose }: { user: User; onClose: () => void }) {
  const remove = useDeleteUser();
  const run = () =>
    remove.mutate(user.id, {
      onSuccess: () => {
        toast(`${user.email} can no longer sign in`);
        onClose();
      },
    });
  return (
    <Dialog title={`Remove ${user.email}`} onClose={onClose}>
      <div className={styles.stack}>
        <p>Their sessions end immediately. Their changes stay, under their name. You can add them again.</p>
        {remove.error && <p role="alert">{whatToDo(remove.error)}</p>}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" busy={remove.isPending} onClick={run}>
            Remove
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
}
