import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { wireTime } from '../http/wire-time.ts';
import { schema } from '../input/schema.ts';
import type { Credits } from './credits/credits.ts';

const statusSchema = schema.object({
  status: schema.string({ examples: ['success'] }),
  account: schema.object({
    plan: schema.object({
      name: schema.string(),
      credits: schema.integer({ description: 'Credits per month' }),
      requests: schema.integer({ description: 'The same as `credits`; older clients read it' }),
      rate_limit: schema.integer({ description: 'Requests per second' }),
    }),
    user: schema.object({ name: schema.string(), email: schema.string() }),
  }),
  usage: schema.object({
    limit: schema.integer(),
    current: schema.integer(),
    remaining: schema.integer({ description: 'Never negative' }),
    reset_at: schema.string({ description: 'When the billing cycle ends' }),
  }),
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
      response: statusSchema,
      errors: [],
      async handle(_sent, { caller }) {
        const { used, resetAtMs } = await credits.usage(caller);
        const { name, credits: limit, rateLimit } = caller.plan;
        return {
          status: 'success',
          account: {
            plan: { name, credits: limit, requests: limit, rate_limit: rateLimit },
            user: { name: caller.accountName, email: caller.accountEmail },
          },
          usage: { limit, current: used, remaining: Math.max(0, limit - used), reset_at: wireTime(resetAtMs) },
        };
      },
    }),
  ];
}
