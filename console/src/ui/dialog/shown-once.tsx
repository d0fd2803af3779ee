import { Button } from '../button.tsx';
import { Copy } from '../copy.tsx';
import { Dialog, DialogButtons } from './dialog.tsx';
import styles from './shown-once.module.css';

interface Shown {
  title: string;
  /** What it is called on the button that copies it. */
  name: string;
  secret: string;
  /** Why it matters that it is kept. */
  why: string;
  /** Where it goes: a sentence before something to copy. */
  use: { text: string; copied: string; label: string };
  onClose: () => void;
}

/** A secret that is shown this one time, and what it is for. */
export function ShownOnce({ title, name, secret, why, use, onClose }: Shown) {
  return (
    <Dialog title={title} onClose={onClose} closable={false} wide>
      <div className={styles.shown}>
        <p>
          <strong>This is the only time it is shown.</strong> {why}
        </p>
        <Copy label={`Copy the ${name}`} text={secret} />
        <p>{use.text}</p>
        <Copy label={use.label} text={use.copied} />
        <DialogButtons>
          <Button kind="primary" onClick={onClose}>
            I have kept it
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
}
