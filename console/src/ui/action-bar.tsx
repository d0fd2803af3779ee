import { grouped } from '../text/numbers.ts';
import styles from './action-bar.module.css';

interface Properties {
  readonly counts: Readonly<Record<'allow' | 'block' | 'challenge', number>>;
  /** The count that fills the whole width; by default the sum of these. */
  readonly most?: number;
}

const order = ['allow', 'challenge', 'block'] as const;

/** The shares of actions as one bar; screen readers get the numbers. */
export function ActionBar({ counts, most }: Properties) {
  const sum = counts.allow + counts.challenge + counts.block;
  const whole = Math.max(1, most ?? sum);
  const text = order.map((action) => `${action} ${grouped(counts[action])}`).join(', ');
  return (
    <span className={styles.bar} data-data="" role="img" aria-label={text} title={text}>
      {order.map(
        (action) =>
          counts[action] > 0 && (
            <span
              key={action}
              className={styles.part}
              data-action={action}
              style={{ width: `${(100 * counts[action]) / whole}%` }}
            />
          ),
      )}
    </span>
  );
}
