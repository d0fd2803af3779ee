import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import type { Overview } from '../../api/overview.ts';
import { grouped, percent } from '../../text/numbers.ts';
import { Card } from '../../ui/card.tsx';
import styles from './overview.module.css';

const names = {
  disposable: 'disposable',
  relay: 'relay',
  no_mail: 'no mail',
  unknown: 'unknown',
} as const;

/** The results of lookups, as shares of all of them. */
export function LookupsCard({ overview: { lookups, shares } }: { overview: Overview }) {
  const environment = useEnvironment();
  const all = lookups.reduce((sum, bucket) => sum + bucket.lookups, 0);
  return (
    <Card
      title="Lookups"
      aside={all === 0 ? <Link href={`/${environment}/lookup`}>Try one</Link> : `${grouped(all)} total`}
    >
      <dl className={styles.shares}>
        {Object.entries(names).map(([key, name]) => {
          const share = shares[key as keyof typeof names];
          return (
            <div key={key}>
              <dt>{name}</dt>
              <dd>{share === null ? '–' : percent(share)}</dd>
            </div>
          );
        })}
      </dl>
    </Card>
  );
}
