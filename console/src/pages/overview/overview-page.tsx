import { useSearchParams } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { overviewRanges, useOverview } from '../../api/overview.ts';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { NewestWave } from '../waves/newest-wave.tsx';
import { DecisionsCard } from './decisions-card.tsx';
import { FirstSteps } from './first-steps.tsx';
import { LatestBlocks } from './latest-blocks.tsx';
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
  const choices = overviewRanges.map((value) => ({
    value,
    label: labels[value],
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
      {overview.isPending && !overview.error && <Loading what="The overview" height={760} />}
      {overview.data && (
        <>
          <FirstSteps overview={overview.data} />
          <NewestWave />
          <StatusCards overview={overview.data} />
          <DecisionsCard decisions={overview.data.decisions} range={range} />
          <LookupsCard overview={overview.data} />
          <div className={styles.columns}>
            <TopRules rules={overview.data.top_rules} range={range} />
            <LatestBlocks range={range} />
            <TopDomains domains={overview.data.top_domains} />
          </div>
        </>
      )}
    </Page>
  );
}
