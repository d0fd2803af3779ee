import { type ReactNode, useEffect } from 'react';
import styles from './page.module.css';
import { Skeleton } from './skeleton.tsx';

interface Properties {
  readonly title: string;
  /** The title of the browser tab, where it differs. */
  readonly documentTitle?: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  /** For tables with many columns: uses more of a large screen. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** The layout of every page: heading, actions and content. */
export function Page({ title, documentTitle = title, lead, actions, isWide = false, children }: Properties) {
  useEffect(() => {
    document.title = `${documentTitle} · Signalpost`;
  }, [documentTitle]);
  return (
    <div className={styles.page} data-wide={isWide || undefined}>
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

/** A page whose code is loading. */
export function PageSkeleton({ what }: { what: string }) {
  return (
    <div className={styles.page}>
      <Skeleton what={what}>
        <Skeleton.Box height={28} width="180px" />
        <Skeleton.Card lines={8} />
      </Skeleton>
    </div>
  );
}
