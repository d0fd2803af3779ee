import { useOnline, useOutage } from '../api/outage.ts';
import { Icon } from '../ui/icon.tsx';
import { Problem } from '../ui/problem.tsx';
import styles from './outage-notice.module.css';

/** One notice for the whole page while the browser is offline or the service does not respond. */
export function OutageNotice() {
  const isOnline = useOnline();
  const { error, retry } = useOutage();
  if (isOnline && error === null) return null;
  return (
    <div className={styles.notice}>
      {isOnline ? (
        <Problem error={error} what="Some data" onRetry={retry} />
      ) : (
        <p className={styles.offline} role="status">
          <Icon name="warning" />
          You are offline. The page continues when the connection returns.
        </p>
      )}
    </div>
  );
}
