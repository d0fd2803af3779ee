import type { SignInLink } from '../../api/users.ts';
import { until } from '../../text/times.ts';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import styles from './settings.module.css';

/** A one-time link to hand over; it is shown once. */
export function LinkDialog({ link: { user, link }, onClose }: { link: SignInLink; onClose: () => void }) {
  return (
    <Dialog title={`A link for ${user.email}`} onClose={onClose} wide>
      <div className={styles.stack}>
        <p>
          Hand it over yourself: whoever opens it first is signed in as {user.email}. It works once and ends{' '}
          {until(link.expires_at)}.
        </p>
        <Copy label="Copy the link" text={link.url} />
        <DialogButtons>
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
}
