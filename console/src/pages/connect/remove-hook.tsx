import { useSearchParams } from 'wouter';
import { type Hook, useRemoveHook } from '../../api/hooks.ts';
import { whatToDo } from '../../text/problems.ts';
import { ago } from '../../text/times.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './connect.module.css';

/** Deletes a hook, after stating the consequences: it cannot be undone. */
export function RemoveHook({ hook, onClose }: { hook: Hook; onClose: () => void }) {
  const remove = useRemoveHook();
  const [parameters, setParameters] = useSearchParams();
  const run = () =>
    remove.mutate(hook, {
      onSuccess: () => {
        toast('Hook deleted');
        if (parameters.get('hook') === hook.id) setParameters({ stack: hook.format });
        onClose();
      },
    });
  return (
    <Dialog title={`Delete ${hook.name}`} onClose={onClose}>
      <div className={styles.step}>
        <p>
          {hook.last_call_at ? `It was last called ${ago(hook.last_call_at)}. ` : 'It was never called. '}
          Sign-ups fail at an auth server that still calls it. A deleted hook cannot be restored.
        </p>
        {remove.error && <p role="alert">{whatToDo(remove.error)}</p>}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" busy={remove.isPending} onClick={run}>
            Delete the hook
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
}
