import type { Webhook } from '../../api/webhooks.ts';
import { Pill } from '../../ui/pill.tsx';

/** Whether a webhook is told of anything, and whether that arrives. */
export function WebhookState({ webhook: { enabled, disabled_reason, failing_since } }: { webhook: Webhook }) {
  if (!enabled)
    return <Pill tone={disabled_reason ? 'block' : 'plain'}>{disabled_reason ? 'switched off' : 'off'}</Pill>;
  return failing_since ? <Pill tone="challenge">failing</Pill> : <Pill tone="allow">on</Pill>;
}
