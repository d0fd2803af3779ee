import { type Delivery, useDeliveries, useRetryDelivery, type Webhook } from '../../api/webhooks.ts';
import { counted, grouped } from '../../text/numbers.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { problemToast, toast } from '../../ui/toast.tsx';
import styles from './webhooks.module.css';

const tones = { waiting: 'unknown', delivered: 'allow', failed: 'block' } as const;

/** The latest deliveries of a webhook, with responses and retry. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const deliveries = useDeliveries(webhook.id);
  return (
    <Card title="Deliveries" aside="last 30 days" flush>
      {deliveries.error && (
        <Problem
          error={deliveries.error}
          what="The deliveries"
          shownSince={deliveries.dataUpdatedAt}
          onRetry={() => void deliveries.refetch()}
        />
      )}
      {deliveries.isPending && !deliveries.error && <Loading what="The deliveries" lines={4} />}
      {deliveries.data?.length === 0 && <Empty>No deliveries yet. Send a test to check that they arrive.</Empty>}
      {deliveries.data && deliveries.data.length > 0 && (
        <DeliveryTable webhook={webhook} deliveries={deliveries.data} />
      )}
    </Card>
  );
}

function DeliveryTable({ webhook, deliveries }: { webhook: Webhook; deliveries: readonly Delivery[] }) {
  const retry = useRetryDelivery(webhook.id);
  const again = (id: string) =>
    retry.mutate(id, {
      onSuccess: () => toast('Sending again'),
      onError: (error) => problemToast(whatToDo(error)),
    });
  const columns: readonly Column<Delivery>[] = [
    { title: 'Event', cell: ({ event }) => <code className={styles.event}>{event}</code> },
    { title: 'State', cell: ({ state }) => <Pill tone={tones[state]}>{state}</Pill> },
    { title: 'Response', isWide: true, cell: (delivery) => <Answer delivery={delivery} /> },
    { title: 'Created', isNumber: true, cell: ({ created_at }) => <Ago at={created_at} /> },
    {
      title: 'Send again',
      hideTitle: true,
      buttons: 'icons',
      cell: ({ id, event }) =>
        webhook.enabled && (
          <Button
            kind="quiet"
            icon="refresh"
            aria-label={`Send ${event} again`}
            title="Send again"
            busy={retry.isPending && retry.variables === id}
            onClick={() => again(id)}
          />
        ),
    },
  ];
  return <Table label="Deliveries" columns={columns} rows={deliveries} keyOf={({ id }) => id} />;
}

function Answer({ delivery }: { delivery: Delivery }) {
  const { response_status, response_body, error, attempts, duration_ms, next_attempt_at, data } = delivery;
  const took = duration_ms === null ? null : `${grouped(duration_ms)} ms`;
  const tries = attempts > 1 ? counted(attempts, 'attempt') : null;
  return (
    <>
      <span>{[error ?? response_status, took, tries].filter(Boolean).join(' · ') || 'not sent yet'}</span>
      {next_attempt_at && (
        <span className={styles.below}>
          next attempt <Ago at={next_attempt_at} />
        </span>
      )}
      <details className={styles.details}>
        <summary>details</summary>
        <pre className={styles.said}>{data === null ? 'too long to display' : JSON.stringify(data, null, 2)}</pre>
        {response_body && <pre className={styles.said}>{response_body}</pre>}
      </details>
    </>
  );
}
