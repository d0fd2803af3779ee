import type { SignInLink } from '../../api/users.ts';
import { until } from '../../text/times.ts';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import styles from './settings.module.css';

/** A one-time sign-in link, shown once. */
export function LinkDialog({ link: { user, link }, onClose }: { link: SignInLink; onClose: () => void }) {
  return (
    <Dialog title={`Sign-in link for ${user.email}`} onClose={onClose} wide>
      <div className={styles.stack}>
        <p>
          Send it to them yourself: the first person to open it is signed in as {user.email}. It works once and expires{' '}
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
