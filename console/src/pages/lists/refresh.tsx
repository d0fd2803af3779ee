import { type Refresh, useRefresh, useStartRefresh } from '../../api/lists.ts';
import { grouped } from '../../text/numbers.ts';
import { whatToDo } from '../../text/problems.ts';
import { refreshSentence } from '../../text/refresh.ts';
import { sourceName } from '../../text/sources.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Pill } from '../../ui/pill.tsx';
import { problemToast } from '../../ui/toast.tsx';
import styles from './lists.module.css';

/** Starts a refresh of all enabled sources. */
export function RefreshButton({ isOffline }: { isOffline: boolean }) {
  const start = useStartRefresh();
  const isRunning = useRefresh().data?.running ?? false;
  const run = () => start.mutate(undefined, { onError: (error) => problemToast(whatToDo(error)) });
  return (
    <Button
      kind="primary"
      icon="refresh"
      busy={start.isPending || isRunning}
      disabled={isOffline}
      title={isOffline ? 'The service runs offline' : undefined}
      onClick={run}
    >
      Refresh now
    </Button>
  );
}

/** The progress of a refresh, then the result of each source. */
export function RefreshProgress() {
  const refresh = useRefresh().data;
  if (!refresh || refresh.started_at === null) return null;
  return (
    <Card title={refresh.running ? 'Refreshing' : 'Last refresh'} aside={`${refresh.done} of ${refresh.total} sources`}>
      <div className={styles.refresh}>
        {refresh.running && (
          <progress className={styles.progress} value={refresh.done} max={refresh.total} aria-label="Refresh" />
        )}
        <p role="status" className={styles.soft}>
          {refresh.running ? runningText(refresh) : (refresh.error ?? refreshSentence(refresh.results))}
        </p>
        <ul className={styles.results}>
          {refresh.results.map((result) => (
            <li key={result.source}>
              <Pill tone={tones[result.result]}>{result.result}</Pill> <strong>{sourceName(result.source)}</strong>{' '}
              {changeText(result)}
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

const tones = { updated: 'allow', unchanged: 'plain', refused: 'challenge', failed: 'block' } as const;

function runningText({ current }: Refresh): string {
  if (current === null) return 'Compiling…';
  return `${sourceName(current.source)}: ${grouped(current.received_bytes / 1000)} KB`;
}

function changeText({ added, removed, reason }: Refresh['results'][number]): string {
  if (reason) return reason;
  if (added === null || removed === null) return '';
  return `+${grouped(added)} −${grouped(removed)}`;
}
