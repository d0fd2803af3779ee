import { Link } from 'wouter';
import { useEnvironment } from '../api/environment.ts';
import { counted, grouped, percent } from '../text/numbers.ts';
import { wilson } from '../text/outcomes/outcome-shares.ts';
import { Card } from '../ui/card.tsx';
import styles from './bad-let-in.module.css';
import { HowToReport } from './how-to-report.tsx';

interface Tally {
  readonly good: number;
  readonly bad: number;
}

interface Properties {
  readonly outcomes: Readonly<Record<'allow' | 'block' | 'challenge', Tally>>;
  readonly range: string;
}

/** How many of the allowed sign-ups of a range turned out to be bad, over all gates. */
export function BadLetIn({ outcomes, range }: Properties) {
  return (
    <Card title="Bad sign-ups let in">
      <Sentence outcomes={outcomes} range={range} />
    </Card>
  );
}

function Sentence({ outcomes: { allow, block, challenge }, range }: Properties) {
  const environment = useEnvironment();
  const total = allow.good + allow.bad;
  if (total + block.good + block.bad + challenge.good + challenge.bad === 0) {
    return <HowToReport className={styles.soft} />;
  }
  if (total === 0) return <p className={styles.soft}>No allowed sign-up of this range has an outcome yet.</p>;
  const [low, high] = wilson(allow.bad, total);
  return (
    <p>
      <Link href={`/${environment}/log?action=allow&outcome=bad&range=${range}`} className={styles.number}>
        {grouped(allow.bad)}
      </Link>{' '}
      of {counted(total, 'allowed sign-up')} with an outcome: {percent(allow.bad / total)}{' '}
      <span className={styles.soft}>
        (between {percent(low)} and {percent(high)} with 95 % confidence)
      </span>
    </p>
  );
}
