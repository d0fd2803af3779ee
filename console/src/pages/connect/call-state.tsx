import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { type LogEntry, subjectOf } from '../../api/log.ts';
import { ToneIcon } from '../../ui/pill.tsx';
import { Ago } from '../../ui/time.tsx';
import styles from './connect.module.css';

const done = { allow: 'allowed', block: 'blocked', challenge: 'challenged' } as const;

interface Properties {
  /** The latest decision of the hook or gate. */
  readonly decision: LogEntry | undefined;
  /** The last verified call, also one without a decision. */
  readonly lastCallAt: string | null;
  readonly lastError: string | null;
}

/** Whether calls arrive: an error, the last call, or that none has arrived yet. Changes are announced. */
export function CallState({ decision, lastCallAt, lastError }: Properties) {
  const environment = useEnvironment();
  return (
    <div role="status" className={styles.state}>
      {lastError !== null && (
        <>
          <ToneIcon tone="block" />
          <span className={styles.wrong}>
            <strong>The last call failed:</strong> {lastError}
          </span>
        </>
      )}
      {lastError === null && decision && (
        <>
          <ToneIcon tone="allow" />
          <span>
            <strong>Connected:</strong> <Link href={`/${environment}/log/${decision.id}`}>{subjectOf(decision)}</Link>{' '}
            {done[decision.action]} <Ago at={decision.created_at} />
          </span>
        </>
      )}
      {lastError === null && !decision && lastCallAt !== null && (
        <>
          <ToneIcon tone="allow" />
          <span>
            <strong>Connected:</strong> the last call was <Ago at={lastCallAt} />
          </span>
        </>
      )}
      {lastError === null && !decision && lastCallAt === null && (
        <>
          <ToneIcon tone="unknown" />
          <span>Waiting for the first call…</span>
        </>
      )}
    </div>
  );
}
