import { Type } from 'typebox';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { wireTime } from '../http/wire-time.ts';
import type { Credits } from './credits.ts';

const statusSchema = Type.Object({
  status: Type.String({ examples: ['success'] }),
  account: Type.Object({
    plan: Type.Object({
      name: Type.String(),
      credits: Type.Integer({ description: 'Credits a month' }),
      requests: Type.Integer({ description: 'The same as `credits`; older clients read it' }),
      rate_limit: Type.Integer({ description: 'Requests a second' }),
    }),
    user: Type.Object({ name: Type.String(), email: Type.String() }),
    environment: Type.String({ examples: ['production', 'staging', 'development'] }),
  }),
  usage: Type.Object({
    limit: Type.Integer(),
    current: Type.Integer(),
    remaining: Type.Integer({ description: 'Never negative' }),
    reset_at: Type.String({ description: 'When the billing cycle ends' }),
  }),
});

/** `GET /status`. */
export function statusEndpoints(credits: Credits): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/status',
      operationId: 'getStatus',
      summary: 'Plan, current usage and remaining credits',
      family: 'lookup',
      plan: 'any',
      credits: 0,
      schemas: { response: statusSchema },
      errors: [],
      input: () => null,
      async handle(_input, { caller }) {
        const { used, resetAtMs } = await credits.usage(caller);
        const { name, credits: limit, rateLimit } = caller.plan;
        return {
          status: 'success',
          account: {
            plan: { name, credits: limit, requests: limit, rate_limit: rateLimit },
            user: { name: caller.accountName, email: caller.accountEmail },
            environment: caller.environment,
          },
          usage: { limit, current: used, remaining: Math.max(0, limit - used), reset_at: wireTime(resetAtMs) },
        };
      },
    }),
  ];
}
