import type { Delivery, NewWebhook, Webhook, WebhookChanges } from '@signalpost/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { useEnvironment } from './environment.ts';
import { isSessionAlive } from './session-state.ts';

export type { Delivery, NewWebhook, Webhook } from '@signalpost/client';

/** An event that a webhook can receive. */
export type EventType = Webhook['events'][number];

/** The webhooks of the environment, newest first. */
export function useWebhooks() {
  const client = useClient();
  return useQuery({
    queryKey: ['webhooks', useEnvironment()],
    queryFn: ({ signal }) => client.webhooks.list({ signal }),
  });
}

/** One webhook. */
export function useWebhook(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['webhooks', useEnvironment(), id],
    queryFn: ({ signal }) => client.webhooks.get(id, { signal }),
  });
}

const shownDeliveries = 50;
const isUnderWay = ({ state }: Delivery) => state === 'waiting';

/** A webhook's latest deliveries; polled while one is pending. */
export function useDeliveries(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['webhooks', useEnvironment(), id, 'deliveries'],
    queryFn: async ({ signal }) =>
      (await client.webhooks.deliveries.list(id, { limit: shownDeliveries }, { signal })).data,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) && isSessionAlive() ? 2_000 : 15_000),
    staleTime: 0,
  });
}

function useWebhookChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  const queryKey = ['webhooks', useEnvironment()];
  return useMutation({ mutationFn: change, onSuccess: () => queries.invalidateQueries({ queryKey }) });
}

/** Creates a webhook; only this response contains its secret. */
export function useCreateWebhook() {
  const { webhooks } = useClient();
  return useWebhookChange((body: NewWebhook) => webhooks.create(body));
}

/** Changes a webhook. */
export function useChangeWebhook(id: string) {
  const { webhooks } = useClient();
  return useWebhookChange((changes: WebhookChanges) => webhooks.update(id, changes));
}

/** Deletes a webhook with its pending deliveries. */
export function useRemoveWebhook(id: string) {
  const { webhooks } = useClient();
  const queries = useQueryClient();
  const queryKey = ['webhooks', useEnvironment()];
  return useMutation({
    mutationFn: () => webhooks.delete(id),
    // Only the list: reloading the webhook itself would show "not found" before the page changes.
    onSuccess: () => queries.invalidateQueries({ queryKey, exact: true }),
  });
}

/** Creates a new secret for a webhook; only this response contains it. */
export function useRotateSecret(id: string) {
  const { webhooks } = useClient();
  return useWebhookChange(() => webhooks.rotateSecret(id));
}

/** Sends a test event. */
export function useTestWebhook(id: string) {
  const { webhooks } = useClient();
  return useWebhookChange(() => webhooks.test(id));
}

/** Sends a delivery again. */
export function useRetryDelivery(id: string) {
  const { webhooks } = useClient();
  return useWebhookChange((deliveryId: string) => webhooks.deliveries.retry(id, deliveryId));
}
