import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import type { Overview } from '../../api/overview.ts';
import { grouped } from '../../text/numbers.ts';
import { Card } from '../../ui/card.tsx';
import styles from './overview.module.css';

interface Row {
  readonly key: string;
  readonly name: ReactNode;
  readonly count: number;
  readonly href: string;
}

/** Rows with a bar behind each, relative to the first. */
function Rows({ rows, none }: { rows: readonly Row[]; none: string }) {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  if (rows.length === 0) return <p className={styles.none}>{none}</p>;
  return (
    <ol className={styles.rows}>
      {rows.map(({ key, name, count, href }) => (
        <li key={key}>
          <Link href={href} className={styles.row} data-row-link="">
            <span className={styles.bar} data-data="" style={{ width: `${(count / most) * 100}%` }} />
            <span className={styles.rowName}>{name}</span>
            <span className={styles.count}>{grouped(count)}</span>
          </Link>
        </li>
      ))}
    </ol>
  );
}

/** The rules that matched most, each linked to its decisions. */
export function TopRules({ rules, range }: { rules: Overview['top_rules']; range: string }) {
  const environment = useEnvironment();
  const rows = rules.map(({ id, name, gate, matches }) => ({
    key: `${gate.id} ${id}`,
    name,
    count: matches,
    href: `/${environment}/log?rule_id=${id}&range=${range}`,
  }));
  return (
    <Card title="Rules that matched" flush>
      <Rows rows={rows} none="No matches yet." />
    </Card>
  );
}

/** The domains that were looked up most. */
export function TopDomains({ domains }: { domains: Overview['top_domains'] }) {
  const environment = useEnvironment();
  const rows = domains.map(({ domain, lookups }) => ({
    key: domain,
    name: <code>{domain}</code>,
    count: lookups,
    href: `/${environment}/lookup?q=${encodeURIComponent(domain)}`,
  }));
  return (
    <Card title="Most looked-up domains" flush>
      <Rows rows={rows} none="No lookups yet." />
    </Card>
  );
}
