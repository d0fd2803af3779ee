import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from '../button.tsx';
import styles from './dialog.module.css';

interface Properties {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  readonly wide?: boolean;
  /** False: neither Escape nor a click outside closes it. */
  readonly closable?: boolean;
}

/** A native dialog; it is open while it is rendered. */
export function Dialog({ title, children, onClose, wide = false, closable = true }: Properties) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // A layout effect: the dialog must close while it is still in the document, or the browser does not restore the focus.
  useLayoutEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    if (dialog && !dialog.open) {
      dialog.showModal();
      // The browser focuses the first focusable element, which is the close button.
      dialog.querySelector<HTMLElement>(':is(input, textarea, select):not([readonly], [hidden])')?.focus();
    }
    return () => {
      dialog?.close();
      returnFocus(opener);
    };
  }, []);
  return (
    <dialog
      ref={element}
      closedby={closable ? 'any' : 'none'}
      className={styles.dialog}
      data-wide={wide || undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (closable) onClose();
      }}
    >
      <div className={styles.inside}>
        <header className={styles.header}>
          <h2 id={id}>{title}</h2>
          {closable && <Button kind="quiet" icon="cross" aria-label="Close" onClick={onClose} />}
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** Focuses the element that opened a dialog; an item of a menu that has closed passes the focus to the menu's button. */
function returnFocus(opener: Element | null): void {
  const menu = opener?.closest('details:not([open])')?.querySelector('summary');
  const target = menu ?? opener;
  if (target instanceof HTMLElement && target !== document.body) target.focus();
}

/** The buttons at the end of a dialog. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
