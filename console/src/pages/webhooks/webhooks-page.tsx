import { Link, useLocation, useSearchParams } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { useCreateWebhook, useWebhooks, type Webhook } from '../../api/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Middle } from '../../ui/middle.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { SecretOnce } from './secret-once.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookState } from './webhook-state.tsx';
import styles from './webhooks.module.css';

/** The webhooks of this environment. */
export function WebhooksPage() {
  const environment = useEnvironment();
  const webhooks = useWebhooks();
  const [parameters, setParameters] = useSearchParams();
  const setCreating = (isNew: boolean) => setParameters(isNew ? { new: '' } : {}, { replace: true });
  const make = (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      New webhook
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      lead="Your URLs that receive signed events of this environment. Failed deliveries are retried."
      actions={make}
    >
      {webhooks.error && (
        <Problem
          error={webhooks.error}
          what="The webhooks"
          shownSince={webhooks.dataUpdatedAt}
          onRetry={() => void webhooks.refetch()}
        />
      )}
      <Card title={`Webhooks of ${environment}`} flush>
        {webhooks.isPending && !webhooks.error && <Loading what="The webhooks" lines={3} />}
        {webhooks.data && webhooks.data.length > 0 && <WebhookTable webhooks={webhooks.data} />}
        {webhooks.data?.length === 0 && (
          <Empty sample={<WebhookTable webhooks={[sample]} />} action={make}>
            Notify a program when a domain that you allowed is flagged as disposable, when credits run low, or when a
            gate decides.
          </Empty>
        )}
      </Card>
      {parameters.has('new') && <NewWebhook onClose={() => setCreating(false)} />}
    </Page>
  );
}

function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  const environment = useEnvironment();
  const columns: readonly Column<Webhook>[] = [
    {
      title: 'Address',
      isWide: true,
      cell: ({ id, url, description }) => (
        <>
          <Link href={`/${environment}/webhooks/${id}`} className={styles.url} data-row-link="">
            <Middle text={url} />
          </Link>
          {description && <span className={styles.below}>{description}</span>}
        </>
      ),
    },
    {
      title: 'Events',
      priority: 2,
      cell: ({ events }) => <span className={styles.eventNames}>{events.join(', ')}</span>,
    },
    { title: 'State', cell: (webhook) => <WebhookState webhook={webhook} /> },
  ];
  return <Table label="Webhooks" columns={columns} rows={webhooks} keyOf={({ id }) => id} />;
}

function NewWebhook({ onClose }: { onClose: () => void }) {
  const environment = useEnvironment();
  const [, navigate] = useLocation();
  const create = useCreateWebhook();
  if (create.data) {
    const { id, secret } = create.data;
    const go = () => navigate(`/${environment}/webhooks/${id}`);
    return <SecretOnce title="Webhook secret" secret={secret} onClose={go} />;
  }
  return (
    <Dialog title="New webhook" onClose={onClose}>
      <WebhookForm
        begin={{ ...sample, url: '', description: null }}
        label="Create webhook"
        isBusy={create.isPending}
        error={create.error}
        onSubmit={(draft) => create.mutate(draft)}
        onCancel={onClose}
      />
    </Dialog>
  );
}

const sample: Webhook = {
  id: 'sample',
  url: 'https://example.com/hooks/signalpost',
  description: 'closes accounts of disposable addresses',
  events: ['domain.flagged.disposable'],
  gate_ids: [],
  actions: [],
  format: 'standard',
  enabled: true,
  disabled_reason: null,
  failing_since: null,
  old_secret_valid_until: null,
  created_at: '',
  updated_at: '',
};
