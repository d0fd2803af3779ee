import { NotFoundError } from '@signalpost/client';
import { useParams } from 'wouter';
import { useChangeWebhook, useTestWebhook, useWebhook, type Webhook } from '../../api/webhooks.ts';
import { eventNames } from '../../text/events.ts';
import { whatToDo } from '../../text/problems.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { Ago } from '../../ui/time.tsx';
import { problemToast, toast } from '../../ui/toast.tsx';
import { NotFoundPage } from '../not-found.tsx';
import { Deliveries } from './deliveries.tsx';
import { WebhookMenu } from './webhook-menu.tsx';
import { WebhookState } from './webhook-state.tsx';
import styles from './webhooks.module.css';

/** One webhook: its events, state and deliveries. */
export function WebhookPage() {
  const { webhookId = '' } = useParams<{ webhookId: string }>();
  const webhook = useWebhook(webhookId);
  if (webhook.error instanceof NotFoundError) return <NotFoundPage what="This webhook" />;
  if (webhook.data) return <WebhookView key={webhookId} webhook={webhook.data} />;
  return (
    <Page title="Webhook">
      {webhook.error ? (
        <Problem error={webhook.error} what="The webhook" onRetry={() => void webhook.refetch()} />
      ) : (
        <Skeleton what="The webhook">
          <Skeleton.Card lines={3} />
          <Skeleton.Card lines={4} />
        </Skeleton>
      )}
    </Page>
  );
}

function WebhookView({ webhook }: { webhook: Webhook }) {
  const test = useTestWebhook(webhook.id);
  const send = () =>
    test.mutate(undefined, {
      onSuccess: () => toast('Test sent'),
      onError: (error) => problemToast(whatToDo(error)),
    });
  return (
    <Page
      title="Webhook"
      documentTitle={`${webhook.url} · Webhooks`}
      actions={
        <>
          <Button icon="external" busy={test.isPending} disabled={!webhook.enabled} onClick={send}>
            Send test
          </Button>
          <WebhookMenu webhook={webhook} />
        </>
      }
    >
      <Card title={<span className={styles.url}>{webhook.url}</span>} aside={<WebhookState webhook={webhook} />}>
        <div className={styles.form}>
          {webhook.description && <p>{webhook.description}</p>}
          <State webhook={webhook} />
          <ul className={styles.events} aria-label="Events">
            {webhook.events.map((event) => (
              <li key={event}>
                {eventNames[event]} <code className={styles.note}>{event}</code>
              </li>
            ))}
          </ul>
          <p className={styles.soft}>
            {webhook.format === 'standard' ? 'Standard Webhooks format.' : 'UserCheck format.'}
            {webhook.old_secret_valid_until && ' For a day, deliveries are also signed with the previous secret.'}
          </p>
        </div>
      </Card>
      <Deliveries webhook={webhook} />
    </Page>
  );
}

function State({ webhook: { id, enabled, disabled_reason, failing_since } }: { webhook: Webhook }) {
  const change = useChangeWebhook(id);
  return (
    <>
      <Switch
        label="Enabled"
        hint={
          enabled
            ? 'A disabled webhook receives no new events; pending deliveries wait.'
            : 'When you enable it again, it receives the pending deliveries.'
        }
        isOn={enabled}
        isBusy={change.isPending}
        onChange={(isOn) => change.mutate({ enabled: isOn }, { onError: (error) => problemToast(whatToDo(error)) })}
      />
      {disabled_reason && <p className={styles.trouble}>The service disabled it: {disabled_reason}</p>}
      {enabled && failing_since && (
        <p className={styles.trouble}>
          No delivery has succeeded since <Ago at={failing_since} />.
        </p>
      )}
    </>
  );
}
