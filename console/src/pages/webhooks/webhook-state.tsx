import type { Webhook } from '../../api/webhooks.ts';
import { Pill } from '../../ui/pill.tsx';

/** Whether a webhook is enabled, and whether its deliveries succeed. */
export function WebhookState({ webhook: { enabled, disabled_reason, failing_since } }: { webhook: Webhook }) {
  if (!enabled) return <Pill tone={disabled_reason ? 'block' : 'plain'}>{disabled_reason ? 'disabled' : 'off'}</Pill>;
  return failing_since ? <Pill tone="challenge">failing</Pill> : <Pill tone="allow">on</Pill>;
}
