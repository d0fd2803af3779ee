import { type Lists, useLists } from '../../api/lists.ts';
import { useMe } from '../../api/session.ts';
import { grouped } from '../../text/numbers.ts';
import { dayName } from '../../text/times.ts';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Ago } from '../../ui/time.tsx';
import { NotFoundPage } from '../not-found.tsx';
import styles from './lists.module.css';
import { OwnEntries } from './own-entries.tsx';
import { RefreshButton, RefreshProgress } from './refresh.tsx';
import { SourceLines } from './source-lines.tsx';
import { DownloadTable, SourceTable } from './source-tables.tsx';
import { WhoNames } from './who-names.tsx';

/** The lists behind the signals. They serve every account, so only operators see them. */
export function ListsPage() {
  const isOperator = useMe().data?.user.role === 'operator';
  return isOperator ? <OperatorLists /> : <NotFoundPage />;
}

function OperatorLists() {
  const lists = useLists();
  return (
    <Page
      title="Data sources"
      lead="The data behind the signals. A change here affects every account of this service."
      actions={lists.data && <RefreshButton isOffline={lists.data.offline} />}
    >
      {lists.error && (
        <Problem
          error={lists.error}
          what="The lists"
          shownSince={lists.dataUpdatedAt}
          onRetry={() => void lists.refetch()}
        />
      )}
      <RefreshProgress />
      {lists.isPending && !lists.error && (
        <Skeleton what="The lists">
          <Skeleton.Box height={36} />
          <Skeleton.Card lines={3} />
          <Skeleton.Card lines={12} />
        </Skeleton>
      )}
      {lists.data && <Loaded lists={lists.data} />}
    </Page>
  );
}

function Loaded({ lists }: { lists: Lists }) {
  return (
    <>
      {lists.problems.map(({ reason }) => (
        <p key={reason} className={styles.problem}>
          {reason}
        </p>
      ))}
      <p className={styles.built}>
        {grouped(lists.counts.entries ?? 0)} names, {grouped(lists.counts.disposable ?? 0)} of them disposable; compiled{' '}
        <Ago at={lists.built_at} />, {grouped(lists.size_bytes / 1_000_000)} MB in memory.
        {lists.expected_recall && <> {recallOf(lists.expected_recall)}</>}
      </p>
      <OwnEntries counts={lists.operator} />
      <WhoNames />
      <Card
        title="Sources"
        aside={lists.offline ? 'the service runs offline' : `automatic refresh: ${lists.refresh}`}
        flush
      >
        <SourceLines lists={lists} />
        <details className={styles.manifest}>
          <summary>Versions, licences and intervals</summary>
          <h3>Downloads</h3>
          <DownloadTable downloads={lists.downloads} />
          <h3>Installed sources</h3>
          <SourceTable sources={lists.sources} />
        </details>
      </Card>
    </>
  );
}

/** The share of new disposable domains that lists of this age know. */
function recallOf({ share, edition }: NonNullable<Lists['expected_recall']>): string {
  return `About ${Math.round(share * 100)} % of the disposable domains of the last half year are known: the newest edition of a publisher that watches disposable services is of ${dayName(edition)}.`;
}
