import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './button.module.css';
import { Icon, type IconName } from './icon.tsx';

/** The emphasis of a button; a view has one primary button. */
export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger';

interface Look {
  readonly kind?: ButtonKind;
  readonly icon?: IconName;
  readonly children?: ReactNode;
}

interface ButtonProperties extends Look, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  /** Whether its action is in progress: it shows a spinner and ignores clicks. */
  readonly busy?: boolean;
}

/** A button; while busy it keeps its size and focus. */
export function Button({ kind = 'plain', icon, busy = false, children, onClick, ...rest }: ButtonProperties) {
  return (
    <button
      type="button"
      {...rest}
      className={styles.button}
      data-kind={kind}
      data-busy={busy || undefined}
      data-iconic={children === undefined || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <span className={styles.spinner} /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface LinkProperties extends Look, Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'children' | 'href'> {
  readonly href: string;
}

/** A link inside the console that looks like a button. */
export function ButtonLink({ kind = 'plain', icon, children, ...rest }: LinkProperties) {
  return (
    <Link {...rest} className={styles.button} data-kind={kind} data-iconic={children === undefined || undefined}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}
