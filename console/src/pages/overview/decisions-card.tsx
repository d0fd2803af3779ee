import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import type { Bucket } from '../../api/overview.ts';
import { grouped } from '../../text/numbers.ts';
import { exact } from '../../text/times.ts';
import { Card } from '../../ui/card.tsx';
import { Chart } from '../../ui/chart/chart.tsx';
import { Choice } from '../../ui/choice.tsx';
import { ActionPill } from '../../ui/pill.tsx';
import { Table } from '../../ui/table.tsx';
import styles from './overview.module.css';

const actions = ['allow', 'block', 'challenge'] as const;
const dashes = { allow: [], block: [6, 3], challenge: [2, 3] } as const;
const views = ['chart', 'table'] as const;

/** Decisions over time, as a chart or a table; the totals link to the log. */
export function DecisionsCard({ decisions, range }: { decisions: readonly Bucket[]; range: string }) {
  const environment = useEnvironment();
  const [view, setView] = useState<(typeof views)[number]>('chart');
  const [hovered, setHovered] = useState<number | null>(null);
  const times = useMemo(() => decisions.map(({ at }) => Date.parse(at) / 1000), [decisions]);
  const lines = useMemo(
    () =>
      actions.map((action) => ({
        label: action,
        colour: `--${action}`,
        dash: dashes[action],
        values: decisions.map((bucket) => bucket[action]),
      })),
    [decisions],
  );
  const shown = hovered === null ? null : decisions[hovered];
  const countOf = (action: (typeof actions)[number]) =>
    shown ? shown[action] : decisions.reduce((sum, bucket) => sum + bucket[action], 0);
  return (
    <Card title="Decisions" aside={<Choice label="Show as" choices={views} value={view} onChange={setView} />}>
      <div className={styles.legend}>
        {actions.map((action) => (
          <Link key={action} href={`/${environment}/log?action=${action}&range=${range}`} className={styles.total}>
            <ActionPill action={action} /> {grouped(countOf(action))}
          </Link>
        ))}
        <span className={styles.moment}>{shown ? exact(shown.at) : 'total'}</span>
      </div>
      {view === 'chart' ? (
        <Chart
          label="Decisions over time; the same numbers are in the table"
          times={times}
          lines={lines}
          onHover={setHovered}
        />
      ) : (
        <BucketTable decisions={decisions} />
      )}
    </Card>
  );
}

function BucketTable({ decisions }: { decisions: readonly Bucket[] }) {
  return (
    <div className={styles.buckets}>
      <Table
        label="Decisions over time"
        rows={decisions.toReversed().filter((bucket) => actions.some((action) => bucket[action] > 0))}
        keyOf={({ at }) => at}
        columns={[
          { title: 'From', isWide: true, cell: ({ at }) => exact(at) },
          ...actions.map((action) => ({
            title: action,
            isNumber: true,
            cell: (bucket: Bucket) => grouped(bucket[action]),
          })),
        ]}
      />
    </div>
  );
}
