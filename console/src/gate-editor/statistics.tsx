import { useSearchParams } from 'wouter';
import { useGateStats } from '../api/gate.ts';
import { grouped, percent } from '../text/numbers.ts';
import { dayName } from '../text/times.ts';
import { ActionBar } from '../ui/action-bar.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { ActionPill } from '../ui/pill.tsx';
import { Problem } from '../ui/problem.tsx';
import { Segments } from '../ui/segments.tsx';
import { Loading } from '../ui/skeleton.tsx';
import { Table } from '../ui/table.tsx';
import { actions } from './gate.ts';
import styles from './statistics.module.css';

const spans = [
  { value: '7', label: '7 d', href: '?days=7' },
  { value: '30', label: '30 d', href: '?days=30' },
];

/** The decisions of a gate by action, day and rule. */
export function Statistics({ gateId }: { gateId: string }) {
  const [parameters] = useSearchParams();
  const days = parameters.get('days') === '30' ? 30 : 7;
  const stats = useGateStats(gateId, days);
  if (stats.error) return <Problem error={stats.error} what="The statistics" onRetry={() => void stats.refetch()} />;
  if (!stats.data) return <Loading what="The statistics" lines={12} />;
  const { actions: counts, rules, buckets } = stats.data;
  const total = counts.allow + counts.block + counts.challenge;
  const most = Math.max(1, ...buckets.map(({ allow, block, challenge }) => allow + block + challenge));
  return (
    <>
      <Card
        title={`${grouped(total)} decisions`}
        aside={<Segments label="Time" choices={spans} value={String(days)} />}
      >
        {total === 0 ? (
          <Empty>This gate made no decisions in this period. “Use it” shows how to call it.</Empty>
        ) : (
          <ul className={styles.totals}>
            {actions.map((action) => (
              <li key={action}>
                <ActionPill action={action} />
                <strong>{grouped(counts[action])}</strong>
                <span className={styles.soft}>{percent(counts[action] / total)}</span>
              </li>
            ))}
          </ul>
        )}
      </Card>
      {total > 0 && (
        <Card title="Day by day" flush>
          <Table
            label="Decisions by day"
            rows={buckets.toReversed()}
            keyOf={({ at }) => at}
            columns={[
              { title: 'Day', cell: ({ at }) => dayName(at) },
              {
                title: 'Share',
                hideTitle: true,
                isWide: true,
                cell: (bucket) => <ActionBar counts={bucket} most={most} />,
              },
              { title: 'Allow', isNumber: true, cell: ({ allow }) => grouped(allow) },
              { title: 'Challenge', isNumber: true, cell: ({ challenge }) => grouped(challenge) },
              { title: 'Block', isNumber: true, cell: ({ block }) => grouped(block) },
            ]}
          />
        </Card>
      )}
      {rules.length > 0 && (
        <Card title="Matches by rule" flush>
          <Table
            label="Matches by rule"
            rows={rules}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Rule', isWide: true, cell: ({ name }) => name },
              { title: 'Live', isNumber: true, cell: ({ count }) => grouped(count) },
              { title: 'In shadow', isNumber: true, cell: ({ shadow_count }) => grouped(shadow_count) },
            ]}
          />
        </Card>
      )}
    </>
  );
}
