import { counted } from '../../text/numbers.ts';
import styles from './rule-row.module.css';

const height = 18;

/** Counts by day as small bars; a day with matches is always visible. */
export function Sparkline({ days }: { days: readonly number[] }) {
  const most = Math.max(1, ...days);
  const label = `${counted(
    days.reduce((sum, count) => sum + count, 0),
    'match',
    'matches',
  )} in ${days.length} days`;
  const bars = days.map((count, day) => {
    const size = count === 0 ? 0 : Math.max(2, Math.round((count / most) * height));
    return `M${2 * day} ${height}v-${size}h1.4v${size}z`;
  });
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${2 * days.length} ${height}`}
      width={2 * days.length}
      height={height}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <path d={`M0 ${height - 0.5}h${2 * days.length}`} className={styles.base} />
      <path d={bars.join('')} />
    </svg>
  );
}
