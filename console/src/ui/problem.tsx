import { SignalpostError } from '@signalpost/client';
import { whatToDo } from '../text/problems.ts';
import { ago } from '../text/times.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './problem.module.css';

interface Properties {
  readonly error: unknown;
  /** What was not to be had: "The log". */
  readonly what: string;
  readonly onRetry?: () => void;
  /** When what is still shown was read; 0 when nothing is. */
  readonly shownSince?: number;
}

/** Says what failed, what to do and the id under which the service's log has it. */
export function Problem({ error, what, onRetry, shownSince = 0 }: Properties) {
  const id = error instanceof SignalpostError ? error.requestId : null;
  return (
    <div className={styles.problem} role="alert">
      <Icon name="warning" />
      <div className={styles.text}>
        <p>
          <strong>{what} could not be had.</strong> {whatToDo(error)}
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
