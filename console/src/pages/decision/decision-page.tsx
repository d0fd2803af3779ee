import { NotFoundError } from '@signalpost/client';
import { Redirect, useParams } from 'wouter';
import { useCustomLists } from '../../api/custom-lists.ts';
import { useEnvironment } from '../../api/environment.ts';
import { type DecisionDetail, subjectOf, useDecision, useLatest } from '../../api/log.ts';
import { traceInputOf, useTrace } from '../../api/trace.ts';
import { OutcomeButtons } from '../../outcomes/outcome-buttons.tsx';
import { TraceView } from '../../trace/trace-view.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { NotFoundPage } from '../not-found.tsx';
import styles from './decision.module.css';
import { DecisionActions } from './decision-actions.tsx';
import { DecisionHead } from './decision-head.tsx';
import { DecisionSignals } from './decision-signals.tsx';
import { SameElsewhere } from './same-elsewhere.tsx';

/** One decision: the rule that decided, why, and from which signals. */
export function DecisionPage() {
  const { decisionId = '' } = useParams<{ decisionId: string }>();
  const decision = useDecision(decisionId);
  // A button depends on them, which would move the rest.
  const lists = useCustomLists();
  if (decision.error instanceof NotFoundError) return <OfRequest id={decisionId} />;
  if (decision.error) {
    return (
      <Page title="Decision">
        <Problem error={decision.error} what="The decision" onRetry={() => void decision.refetch()} />
      </Page>
    );
  }
  if (decision.isPending || lists.isPending) {
    return (
      <Page title="Decision">
        <DecisionSkeleton />
      </Page>
    );
  }
  return (
    <Page title="Decision" documentTitle={`${subjectOf(decision.data)} · Decision`}>
      <DecisionView key={decisionId} decision={decision.data} />
    </Page>
  );
}

/** The decision of a request: logs of other programs have the request's id, which people paste like a decision's id. */
function OfRequest({ id }: { id: string }) {
  const environment = useEnvironment();
  const found = useLatest({ q: id }, 1);
  const decision = found.data?.data[0];
  if (decision && decision.id !== id) return <Redirect to={`/${environment}/log/${decision.id}`} replace />;
  if (!found.isPending) return <NotFoundPage what="This decision" />;
  return (
    <Page title="Decision">
      <DecisionSkeleton />
    </Page>
  );
}

/** The places of the decision, its actions, the trace and the signals. */
export function DecisionSkeleton() {
  return (
    <Skeleton what="The decision">
      <Skeleton.Box height={132} />
      <Skeleton.Box height={32} width="80%" />
      <Skeleton.Box height={32} width="50%" />
      <div className={styles.columns}>
        <Skeleton.Card lines={9} />
        <Skeleton.Card lines={3} />
      </div>
    </Skeleton>
  );
}

/** A decision with its reasons and signals. */
export function DecisionView({ decision }: { decision: DecisionDetail }) {
  const again = useTrace();
  const subject = subjectOf(decision);
  const askAgain = () => {
    const { ip } = decision.input;
    again.mutate({ gateId: decision.gate.id, input: { ...traceInputOf(subject), ...(ip ? { ip } : {}) } });
  };
  return (
    <>
      <DecisionHead decision={decision} />
      <DecisionActions decision={decision} again={again} onAgain={askAgain} />
      <section className={styles.actions} aria-label="Outcome">
        <span className={styles.ask}>How did it turn out?</span>
        <OutcomeButtons gateId={decision.gate.id} decisionId={decision.id} outcome={decision.outcome} hasWords />
        {decision.outcome_reason && <span className={styles.ask}>{decision.outcome_reason}</span>}
      </section>
      <div className={styles.columns}>
        <Card title="Why: rule by rule" flush>
          {decision.trace ? (
            <TraceView trace={decision.trace} rules={decision.rules} />
          ) : (
            <p className={styles.note}>The rules of that time are no longer stored, so there is no trace.</p>
          )}
        </Card>
        <Card title="Signals at that time">
          <DecisionSignals then={decision.signals} now={again.data?.signals} namedBy={decision.named_by} />
        </Card>
      </div>
      <SameElsewhere decision={decision} />
    </>
  );
}
