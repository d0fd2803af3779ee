import { Link } from 'wouter';
import styles from './choice.module.css';

interface Properties {
  /** The accessible name of the choice. */
  readonly label: string;
  readonly choices: readonly {
    readonly value: string;
    readonly label: string;
    readonly href: string;
    readonly title?: string;
  }[];
  readonly value: string;
}

/** A choice that is part of the URL, as links. */
export function Segments({ label, choices, value }: Properties) {
  return (
    <nav className={styles.choices} aria-label={label}>
      {choices.map((choice) => (
        <Link
          key={choice.value}
          href={choice.href}
          title={choice.title}
          replace
          className={styles.choice}
          aria-current={choice.value === value ? 'true' : undefined}
        >
          {choice.label}
        </Link>
      ))}
    </nav>
  );
}
