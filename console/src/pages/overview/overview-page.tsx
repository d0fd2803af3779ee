import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { type Overview, type OverviewRange, overviewRanges, useOverview } from '../../api/overview.ts';
import { useWaves, type Wave } from '../../api/waves.ts';
import { joinChanges } from '../../text/changes.ts';
import { headline } from '../../text/headline.ts';
import { ranges, spanText } from '../../text/ranges.ts';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { NewestWave } from '../waves/newest-wave.tsx';
import { ChangesCard } from './changes-card.tsx';
import { DecisionsCard } from './decisions-card.tsx';
import { FirstSentence } from './first-sentence.tsx';
import { FirstSteps, useFirstRun } from './first-steps.tsx';
import { LatestBlocks, useLatestBlocks } from './latest-blocks.tsx';
import { LookupsCard } from './lookups-card.tsx';
import styles from './overview.module.css';
import { StatusCards } from './status-cards.tsx';
import { TopDomains, TopRules } from './top-rows.tsx';

const labels = { '24h': '24 h', '7d': '7 d', '30d': '30 d' } as const;

/** The state of the environment; every number links to what it counts. */
export function OverviewPage() {
  const environment = useEnvironment();
  const [parameters] = useSearchParams();
  const range = overviewRanges.find((name) => name === parameters.get('range')) ?? '7d';
  const overview = useOverview(range);
  const [waves, blocks] = [useWaves(), useLatestBlocks()];
  // Shown together: a late answer would move the content below it.
  const isPending = overview.isPending || waves.isPending || blocks.isPending;
  const choices = overviewRanges.map((value) => ({
    value,
    label: labels[value],
    title: spanText(value),
    href: `/${environment}/overview?range=${value}`,
  }));
  return (
    <Page title="Overview" actions={<Segments label="Range" choices={choices} value={range} />}>
      {overview.error && (
        <Problem
          error={overview.error}
          what="The overview"
          shownSince={overview.dataUpdatedAt}
          onRetry={() => void overview.refetch()}
        />
      )}
      {isPending && !overview.error && <OverviewSkeleton />}
      {overview.data && !isPending && <Loaded overview={overview.data} range={range} waves={waves.data ?? []} />}
    </Page>
  );
}

interface LoadedProperties {
  readonly overview: Overview;
  readonly range: OverviewRange;
  readonly waves: readonly Wave[];
}

function Loaded({ overview, range, waves }: LoadedProperties) {
  const firstRun = useFirstRun(overview);
  const span = ranges[range].replace('last ', '');
  const changes = useMemo(() => joinChanges(overview.changes), [overview.changes]);
  // Limits and ages of lists would be alarms without a cause before the first decision.
  if (firstRun.isFirstRun) return <FirstSteps overview={overview} first={firstRun.first} />;
  return (
    <>
      <FirstSentence overview={overview} range={range} span={span} />
      <p>{headline(overview.decisions, span, waves)}</p>
      <NewestWave />
      <DecisionsCard key={range} decisions={overview.decisions} range={range} waves={waves} changes={changes} />
      <ChangesCard changes={changes} span={span} />
      <StatusCards overview={overview} />
      <div className={styles.columns}>
        <TopRules rules={overview.top_rules} range={range} />
        <LatestBlocks />
        <TopDomains domains={overview.top_domains} />
      </div>
      <LookupsCard overview={overview} />
    </>
  );
}

/** The same boxes, empty. */
function OverviewSkeleton() {
  return (
    <Skeleton what="The overview">
      <Skeleton.Box height={48} width="60%" />
      <Skeleton.Box height={20} width="50%" />
      <Skeleton.Card lines={8} />
      <Skeleton.Card lines={3} />
      <Skeleton.Card lines={2} />
      <div className={styles.standing}>
        {[1, 2, 3].map((place) => (
          <Skeleton.Box key={place} height={112} />
        ))}
      </div>
      <div className={styles.columns}>
        {[1, 2, 3].map((place) => (
          <Skeleton.Card key={place} lines={8} />
        ))}
      </div>
    </Skeleton>
  );
}
