import { accountCaller } from '../src/accounts/account-caller.ts';
import type { Caller } from '../src/http/endpoint.ts';

/** The properties of a caller that tests vary. */
export interface TestCallerOptions {
  readonly accountId: string;
  readonly credits?: number;
  readonly rateLimit?: number;
  readonly overage?: boolean;
  readonly createdAtMs?: number;
}

/** A caller with a key, as the service creates it. */
export function testCaller({
  accountId,
  credits = 1,
  rateLimit = 1_000,
  overage = false,
  createdAtMs = 0,
}: TestCallerOptions): Caller {
  const plan = { id: 'plan', name: 'Plan', pro: true, credits, rateLimit, blocklistEntries: 0 };
  const account = { id: accountId, name: 'Jane Doe', email: 'jane@example.com', planId: plan.id, overage, createdAtMs };
  return accountCaller(account, new Map([[plan.id, plan]]), 'production', 'key');
}
