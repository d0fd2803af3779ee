import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import styles from './webhooks.module.css';

const verify = [
  "import { verifyWebhook } from '@signalpost/client';",
  '',
  'const event = await verifyWebhook({',
  '  body, // as it came, not parsed',
  '  headers,',
  '  secret: process.env.SIGNALPOST_WEBHOOK_SECRET,',
  '});',
].join('\n');

/** A secret, this one time, and what it is for. */
export function SecretOnce({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose} closable={false} wide>
      <div className={styles.form}>
        <p>
          <strong>This is the only time it is shown.</strong> Every delivery is signed with it: whoever does not check
          the signature believes anybody.
        </p>
        <Copy label="Copy the secret" text={secret} />
        <p>The receiver checks a delivery with its body as it came, before anything else:</p>
        <Copy label="Copy the code" text={verify} />
        <DialogButtons>
          <Button kind="primary" onClick={onClose}>
            I have kept it
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
}
