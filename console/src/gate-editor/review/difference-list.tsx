import { Icon, type IconName } from '../../ui/icon.tsx';
import styles from './difference-list.module.css';
import type { Difference } from './differences.ts';

const icons: Readonly<Record<Difference['kind'], IconName>> = {
  added: 'plus',
  removed: 'trash',
  changed: 'refresh',
  moved: 'grip',
};

/** Lists differences in words. */
export function DifferenceList({ differences }: { differences: readonly Difference[] }) {
  if (differences.length === 0) return <p className={styles.none}>No differences.</p>;
  return (
    <ul className={styles.list}>
      {differences.map(({ kind, text }) => (
        <li key={text}>
          <Icon name={icons[kind]} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
