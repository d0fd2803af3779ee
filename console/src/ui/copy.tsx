import { useRef } from 'react';
import { Button } from './button.tsx';
import styles from './copy.module.css';
import { toast } from './toast.tsx';

interface Properties {
  /** The button's label: "Copy the key". */
  readonly label: string;
  readonly text: string;
}

/** The most lines before the text scrolls. */
const maxLines = 24;

/** A text with a copy button. Over plain HTTP a page has no clipboard: then the button selects the text. */
export function Copy({ label, text }: Properties) {
  const element = useRef<HTMLTextAreaElement>(null);
  const copy = async () => {
    element.current?.select();
    if (!navigator.clipboard) return toast('Text selected. Press Ctrl C or ⌘ C to copy');
    await navigator.clipboard.writeText(text);
    toast('Copied');
  };
  return (
    <div className={styles.copy}>
      {/* A native control: it scrolls by keyboard, and selects as a whole. */}
      <textarea
        ref={element}
        className={styles.text}
        aria-label={label.replace(/^Copy /, '')}
        readOnly
        // A long line wraps; code keeps its lines.
        wrap={text.includes('\n') ? 'off' : 'soft'}
        spellCheck={false}
        rows={Math.min(maxLines, text.split('\n').length)}
        value={text}
      />
      <Button kind="quiet" icon="copy" aria-label={label} title={label} onClick={() => void copy()} />
    </div>
  );
}
