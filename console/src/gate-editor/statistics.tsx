import { Link, useSearchParams } from 'wouter';
import { useEnvironment } from '../api/environment.ts';
import { useGateStats } from '../api/gate.ts';
import { HowToReport } from '../outcomes/how-to-report.tsx';
import { counted, grouped, percent } from '../text/numbers.ts';
import { badShare } from '../text/outcomes/outcome-shares.ts';
import { periodsOf, spanText } from '../text/ranges.ts';
import { clockTime, dayName, exact } from '../text/times.ts';
import { ActionBar } from '../ui/action-bar.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { ActionPill } from '../ui/pill.tsx';
import { Problem } from '../ui/problem.tsx';
import { Segments } from '../ui/segments.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Table } from '../ui/table.tsx';
import { actions } from './gate.ts';
import styles from './statistics.module.css';

const titles = { allow: 'Allow', challenge: 'Challenge', block: 'Block' };

const spans = [7, 30].map((days) => ({
  value: String(days),
  label: `${days} d`,
  title: spanText(`${days}d`),
  href: `?days=${days}`,
}));

interface Day {
  readonly at: string;
  /** The start of the next day; null for today. */
  readonly to: string | null;
}

/** The filters of the log for one calendar day. */
const spanOf = ({ at, to }: Day): string =>
  `from=${encodeURIComponent(at)}${to === null ? '' : `&to=${encodeURIComponent(to)}`}`;

/** One calendar day, as a link to its part of the log. The first day of a span may begin later than midnight. */
function DayLink({ href, day: { at, to } }: { href: string; day: Day }) {
  return (
    <Link href={href} title={exact(at)}>
      {dayName(at)}
      {clockTime(at) !== '00:00' && `, from ${clockTime(at)}`}
      {to === null && ', until now'}
    </Link>
  );
}

/** The decisions of a gate by action, day and rule. */
export function Statistics({ gateId }: { gateId: string }) {
  const environment = useEnvironment();
  const logOf = (filters: string) => `/${environment}/gates/${gateId}/log?${filters}`;
  const [parameters] = useSearchParams();
  const days = parameters.get('days') === '30' ? 30 : 7;
  const stats = useGateStats(gateId, days);
  if (stats.error) return <Problem error={stats.error} what="The statistics" onRetry={() => void stats.refetch()} />;
  if (!stats.data) return <StatisticsSkeleton />;
  const { actions: counts, rules, outcomes } = stats.data;
  const buckets = periodsOf(stats.data.buckets, 24).map((day, place, all) => ({
    ...day,
    to: all[place + 1]?.at ?? null,
  }));
  const matches = (ruleId: string, count: number) =>
    count === 0 ? 0 : <Link href={logOf(`matched_rule_id=${ruleId}&range=${days}d`)}>{grouped(count)}</Link>;
  const hasOutcomes = actions.some((action) => badShare(outcomes[action]) !== null);
  const total = counts.allow + counts.block + counts.challenge;
  const most = Math.max(1, ...buckets.map(({ allow, block, challenge }) => allow + block + challenge));
  return (
    <>
      <Card title={counted(total, 'decision')} aside={<Segments label="Time" choices={spans} value={String(days)} />}>
        {total === 0 ? (
          <Empty>This gate made no decisions in this period. “Use it” shows how to call it.</Empty>
        ) : (
          <ul className={styles.totals}>
            {actions.map((action) => (
              <li key={action}>
                <ActionPill action={action} />
                <Link href={logOf(`action=${action}&range=${days}d`)}>
                  <strong>{grouped(counts[action])}</strong>
                </Link>
                <span className={styles.soft}>{percent(counts[action] / total)}</span>
                <span className={styles.soft}>{badShare(outcomes[action])}</span>
              </li>
            ))}
          </ul>
        )}
        {total > 0 && !hasOutcomes && <HowToReport className={styles.report} />}
      </Card>
      {total > 0 && (
        <Card title="Day by day" flush>
          <Table
            label="Decisions by day"
            rows={buckets.toReversed()}
            keyOf={({ at }) => at}
            columns={[
              {
                title: 'Day',
                cell: (day) => <DayLink href={logOf(spanOf(day))} day={day} />,
              },
              {
                title: 'Share',
                hideTitle: true,
                isWide: true,
                cell: (bucket) => <ActionBar counts={bucket} most={most} />,
              },
              ...actions.map((action) => ({
                title: titles[action],
                isNumber: true,
                cell: (day: (typeof buckets)[number]) =>
                  day[action] === 0 ? (
                    0
                  ) : (
                    <Link href={logOf(`action=${action}&${spanOf(day)}`)}>{grouped(day[action])}</Link>
                  ),
              })),
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
              {
                title: 'Matches',
                isNumber: true,
                cell: ({ id, count, shadow_count }) => matches(id, count + shadow_count),
              },
              {
                title: 'In shadow',
                isNumber: true,
                // The log does not tell the matches of a rule's live time from those of its time in shadow.
                cell: ({ id, count, shadow_count }) =>
                  count === 0 ? matches(id, shadow_count) : grouped(shadow_count),
              },
              {
                title: 'Outcomes',
                isNumber: true,
                cell: (rule) => <span className={styles.outcomes}>{badShare(rule) ?? '–'}</span>,
              },
            ]}
          />
        </Card>
      )}
    </>
  );
}

function StatisticsSkeleton() {
  return (
    <Skeleton what="The statistics">
      {[2, 7, 4].map((lines) => (
        <Skeleton.Card key={lines} lines={lines} />
      ))}
    </Skeleton>
  );
}
