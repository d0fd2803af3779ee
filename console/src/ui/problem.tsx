import { SignalpostError } from '@signalpost/client';
import { useIsReported } from '../api/outage.ts';
import { whatToDo } from '../text/problems.ts';
import { ago } from '../text/times.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './problem.module.css';

interface Properties {
  readonly error: unknown;
  /** The content that could not be loaded: "The log". */
  readonly what: string;
  readonly onRetry?: () => void;
  /** When the data on the page was loaded; 0 without any. */
  readonly shownSince?: number;
}

/** Reports what failed, what to do, and the request id in the service's log; nothing while the shell reports an outage. */
export function Problem({ error, what, onRetry, shownSince = 0 }: Properties) {
  if (useIsReported(error)) return null;
  const id = error instanceof SignalpostError ? error.requestId : null;
  return (
    <div className={styles.problem} role="alert">
      <Icon name="warning" />
      <div className={styles.text}>
        <p>
          <strong>{what} could not be loaded.</strong> {whatToDo(error)}
        </p>
        {shownSince > 0 && <p>What you see is from {ago(shownSince)}.</p>}
        {id && (
          <p className={styles.id}>
            Request <code>{id}</code>
          </p>
        )}
      </div>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
