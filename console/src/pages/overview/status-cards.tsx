import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { useLists } from '../../api/lists.ts';
import type { Overview } from '../../api/overview.ts';
import { useMe } from '../../api/session.ts';
import { limitText, noLimit } from '../../text/limits.ts';
import { grouped, percent } from '../../text/numbers.ts';
import { dayName } from '../../text/times.ts';
import styles from './overview.module.css';

/** Credits, throughput and the lists. */
export function StatusCards({ overview: { usage, throughput } }: { overview: Overview }) {
  const isOperator = useMe().data?.user.role === 'operator';
  const limit = limitText(throughput.limit, 'requestsPerSecond');
  const isLimited = limit !== noLimit;
  return (
    <div className={styles.standing}>
      <div className={styles.stat}>
        <Credits usage={usage} />
      </div>
      <div className={styles.stat}>
        <p className={styles.statName}>Busiest second</p>
        <p className={styles.number}>
          {throughput.peak === null ? '–' : grouped(throughput.peak)}{' '}
          <small>{isLimited ? `of ${limit}/s` : 'a second'}</small>
        </p>
        <p className={styles.note}>
          {throughput.peak === null ? 'no requests yet' : 'lookups and decisions, one instance'}
        </p>
      </div>
      {isOperator && <ListsStat />}
    </div>
  );
}

function Credits({ usage }: Pick<Overview, 'usage'>) {
  const environment = useEnvironment();
  const settings = `/${environment}/settings`;
  const limit = limitText(usage.limit, 'credits');
  if (limit === noLimit) {
    return (
      <>
        <p className={styles.statName}>Credits used this month</p>
        <p className={styles.number}>
          <Link href={settings}>{grouped(usage.current)}</Link> <small>{limit}</small>
        </p>
        <p className={styles.note}>counts from zero again on {dayName(usage.reset_at)}</p>
      </>
    );
  }
  return (
    <>
      <p className={styles.statName}>Credits left this month</p>
      <p className={styles.number}>
        <Link href={settings}>{grouped(usage.remaining)}</Link> <small>of {limit}</small>
      </p>
      <progress className={styles.meter} value={usage.current} max={usage.limit} aria-label="Credits used" />
      <p className={styles.note}>
        {grouped(usage.current)} used ({percent(usage.limit === 0 ? 0 : usage.current / usage.limit)}), resets{' '}
        {dayName(usage.reset_at)}
        {usage.overage && ', overage allowed'}
      </p>
    </>
  );
}

function ListsStat() {
  const environment = useEnvironment();
  const lists = useLists().data;
  if (!lists) return <div className={styles.stat} />;
  const late = lists.downloads.filter((download) => download.late).length;
  const old = lists.sources.filter((source) => source.old).length;
  const [count, standing] = late > 0 ? [late, 'late'] : [old, 'out of date'];
  return (
    <div className={styles.stat}>
      <p className={styles.statName}>Lists</p>
      <p className={styles.number}>
        <Link href={`/${environment}/lists`}>{count === 0 ? 'up to date' : grouped(count)}</Link>{' '}
        {count > 0 && <small>{standing}</small>}
      </p>
      <p className={styles.note}>{grouped(lists.counts.entries ?? 0)} names</p>
    </div>
  );
}
