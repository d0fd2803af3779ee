import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import type { BacktestResult } from '../../api/gate.ts';
import { Pill } from '../../ui/pill.tsx';
import styles from './backtest-report.module.css';

interface Properties {
  readonly label: string;
  readonly examples: BacktestResult['examples'];
}

/** Changed decisions, each with the actions before and after, and its outcome if it is known. */
export function ExampleList({ label, examples }: Properties) {
  const environment = useEnvironment();
  return (
    <ul className={styles.examples} aria-label={label}>
      {examples.map(({ decision_id, email, domain, from, to, rule, outcome }) => (
        <li key={decision_id}>
          <Link href={`/${environment}/log/${decision_id}`} className={styles.subject}>
            {email ?? domain}
          </Link>
          <span className={styles.change}>
            {outcome && <Pill tone={outcome === 'good' ? 'allow' : 'block'}>{outcome}</Pill>}
            {`${from} → ${to}, ${rule === null ? 'no rule' : `“${rule}”`}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
