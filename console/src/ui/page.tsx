import { type ReactNode, useEffect } from 'react';
import styles from './page.module.css';

interface Properties {
  readonly title: string;
  /** What the browser's tab says, where that is more than the title. */
  readonly documentTitle?: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page: its heading, what can be done here, and its parts below each other. */
export function Page({ title, documentTitle = title, lead, actions, children }: Properties) {
  useEffect(() => {
    document.title = `${documentTitle} · Signalpost`;
  }, [documentTitle]);
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div className={styles.words}>
          <h1 tabIndex={-1}>{title}</h1>
          {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
