import type { ReactNode } from 'react';
import styles from './empty.module.css';

interface Properties {
  /** A grey picture of what will stand here. */
  readonly sample?: ReactNode;
  /** One sentence: what this is for. */
  readonly children: ReactNode;
  /** One thing to do next. */
  readonly action?: ReactNode;
}

/** A place with nothing in it yet, which says what will be there and how. */
export function Empty({ sample, children, action }: Properties) {
  return (
    <div className={styles.empty}>
      {sample && (
        <div className={styles.sample} aria-hidden="true" inert>
          {sample}
        </div>
      )}
      <p className={styles.sentence}>{children}</p>
      {action}
    </div>
  );
}
