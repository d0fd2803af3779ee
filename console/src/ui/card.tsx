import { type ReactNode, useId } from 'react';
import styles from './card.module.css';

interface Properties {
  readonly title?: ReactNode;
  /** Shown to the right of the title. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  /** Content without padding, such as tables. */
  readonly flush?: boolean;
}

/** A framed section with a title. */
export function Card({ title, aside, children, flush = false }: Properties) {
  const id = useId();
  return (
    <section className={styles.card} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <header className={styles.header}>
          <h2 id={id}>{title}</h2>
          {aside !== undefined && <div className={styles.aside}>{aside}</div>}
        </header>
      )}
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </section>
  );
}
