import { type ReactNode, useEffect } from 'react';
import { Icon } from '../../ui/icon.tsx';
import styles from './sign-in.module.css';

/** The frame of the sign-in pages. */
export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Signalpost`;
  }, [title]);
  return (
    <main className={styles.page}>
      <p className={styles.name}>
        <Icon name="flag" size={22} />
        Signalpost
      </p>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </main>
  );
}
