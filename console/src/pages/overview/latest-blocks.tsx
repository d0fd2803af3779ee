import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { subjectOf, useLatest } from '../../api/log.ts';
import { Card } from '../../ui/card.tsx';
import { Middle } from '../../ui/middle.tsx';
import { Ago } from '../../ui/time.tsx';
import styles from './overview.module.css';

/** The latest blocks of all gates. */
export const useLatestBlocks = () => useLatest({ action: 'block' }, 8);

/** The latest blocks, each linked to its reasons. */
export function LatestBlocks() {
  const environment = useEnvironment();
  const blocks = useLatestBlocks();
  return (
    <Card
      title="Latest blocks"
      aside={<Link href={`/${environment}/log?action=block&range=30d`}>all of 30 days</Link>}
      flush
    >
      {blocks.data?.data.length === 0 && <p className={styles.none}>No blocks yet.</p>}
      <ol className={styles.rows}>
        {blocks.data?.data.map((entry) => (
          <li key={entry.id}>
            <Link href={`/${environment}/log/${entry.id}`} className={styles.row} data-row-link="">
              <code className={styles.rowName}>
                <Middle text={subjectOf(entry)} />
              </code>
              <span className={styles.count}>
                <Ago at={entry.created_at} />
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}
