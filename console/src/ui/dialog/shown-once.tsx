import { Button } from '../button.tsx';
import { Copy } from '../copy.tsx';
import { Dialog, DialogButtons } from './dialog.tsx';
import styles from './shown-once.module.css';

interface Shown {
  title: string;
  /** Its name on the copy button. */
  name: string;
  secret: string;
  /** Why it must be saved. */
  why: string;
  /** How to use it: a sentence, and a text to copy. */
  use: { text: string; copied: string; label: string };
  onClose: () => void;
}

/** A secret that is shown once, and how to use it. */
export function ShownOnce({ title, name, secret, why, use, onClose }: Shown) {
  return (
    <Dialog title={title} onClose={onClose} closable={false} wide>
      <div className={styles.shown}>
        <p>
          <strong>It is shown only once.</strong> {why}
        </p>
        <Copy label={`Copy the ${name}`} text={secret} />
        <p>{use.text}</p>
        <Copy label={use.label} text={use.copied} />
        <DialogButtons>
          <Button kind="primary" onClick={onClose}>
            I have saved it
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
}
