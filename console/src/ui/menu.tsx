import { type ReactNode, useRef } from 'react';
import { Icon } from './icon.tsx';
import styles from './menu.module.css';

interface Properties {
  /** The accessible name: "More for Young domain". */
  readonly label: string;
  readonly children: ReactNode;
}

/** A menu behind three dots; it closes after a choice, on Escape, and when the focus leaves. */
export function Menu({ label, children }: Properties) {
  const element = useRef<HTMLDetailsElement>(null);
  const close = () => element.current?.removeAttribute('open');
  return (
    <details
      ref={element}
      className={styles.menu}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) close();
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Escape' || !currentTarget.open) return;
        close();
        currentTarget.querySelector('summary')?.focus();
      }}
    >
      <summary className={styles.dots} aria-label={label} title={label}>
        <Icon name="more" />
      </summary>
      <ul className={styles.actions}>{children}</ul>
    </details>
  );
}

interface ItemProperties {
  readonly onChoose: () => void;
  readonly isDisabled?: boolean;
  readonly children: ReactNode;
}

/** One action of a menu. */
export function MenuItem({ onChoose, isDisabled = false, children }: ItemProperties) {
  return (
    <li>
      <button
        type="button"
        className={styles.action}
        disabled={isDisabled}
        // Safari does not focus a pressed button, so the menu would close before the click.
        onPointerDown={(event) => event.preventDefault()}
        onClick={({ currentTarget }) => {
          currentTarget.closest('details')?.removeAttribute('open');
          onChoose();
        }}
      >
        {children}
      </button>
    </li>
  );
}
