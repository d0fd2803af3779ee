import { field, time, wireOf } from '../http/answers/wire-fields.ts';
import { type Caller, type Endpoint, endpoint } from '../http/endpoint.ts';
import { schema } from '../input/schema.ts';
import type { Credits, CreditUsage } from './credits/credits.ts';

interface Status {
  readonly caller: Caller;
  readonly usage: CreditUsage;
}

const statusBody = wireOf<Status>({
  status: field(schema.string({ examples: ['success'] }), () => 'success'),
  'account.plan.name': field(schema.string(), ({ caller }) => caller.plan.name),
  'account.plan.credits': field(
    schema.integer({ description: 'Credits per month' }),
    ({ caller }) => caller.plan.credits,
  ),
  'account.plan.requests': field(
    schema.integer({ description: 'The same as `credits`; older clients read it' }),
    ({ caller }) => caller.plan.credits,
  ),
  'account.plan.rate_limit': field(
    schema.integer({ description: 'Requests per second' }),
    ({ caller }) => caller.plan.rateLimit,
  ),
  'account.user.name': field(schema.string(), ({ caller }) => caller.accountName),
  'account.user.email': field(schema.string(), ({ caller }) => caller.accountEmail),
  'usage.limit': field(schema.integer(), ({ caller }) => caller.plan.credits),
  'usage.current': field(schema.integer(), ({ usage }) => usage.used),
  'usage.remaining': field(schema.integer({ description: 'Never negative' }), ({ caller, usage }) =>
    Math.max(0, caller.plan.credits - usage.used),
  ),
  'usage.reset_at': time(({ usage }) => usage.resetAtMs, { description: 'When the billing cycle ends' }),
});

/** `GET /status`. */
export function statusEndpoints(credits: Credits): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/status',
      operationId: 'getStatus',
      tool: { name: 'read_status', access: 'read', guide: 'Shows how many lookups are left this month.' },
      summary: 'Plan, current usage and remaining credits',
      family: 'lookup',
      plan: 'any',
      credits: 0,
      load: 'light',
      response: statusBody,
      errors: [],
      handle: async (_sent, { caller }) => ({ caller, usage: await credits.usage(caller) }),
    }),
  ];
}
