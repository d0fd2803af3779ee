import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { useDecision } from '../../api/log.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './decision.module.css';
import { DecisionSkeleton, DecisionView } from './decision-page.tsx';

/** A decision beside the log, with the content of its page. */
export function DecisionPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const environment = useEnvironment();
  const decision = useDecision(id);
  return (
    <aside className={styles.panel} aria-label="Decision">
      <div className={styles.panelHead}>
        <Link href={`/${environment}/log/${id}`}>Open the page of this decision</Link>
        <Button kind="quiet" icon="cross" aria-label="Close the decision" title="Close" onClick={onClose} />
      </div>
      {decision.error && <Problem error={decision.error} what="The decision" onRetry={() => void decision.refetch()} />}
      {decision.isPending && !decision.error && <DecisionSkeleton />}
      {decision.data && <DecisionView key={id} decision={decision.data} />}
    </aside>
  );
}
