import type { ReactNode } from 'react';
import styles from './empty.module.css';

interface Properties {
  /** A grey sample of the content. */
  readonly sample?: ReactNode;
  /** One sentence about its purpose. */
  readonly children: ReactNode;
  /** The next step. */
  readonly action?: ReactNode;
}

/** An empty state: what will be here, and how to get there. */
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
