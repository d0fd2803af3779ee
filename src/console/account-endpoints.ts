import type { Actor } from '../actor.ts';
import { AppError } from '../errors.ts';
import { type SessionEndpoint, sessionEndpoint } from '../http/session-api/session-endpoint.ts';
import { object, optional } from '../input/object.ts';
import { flag, text } from '../input/scalar.ts';
import { characters, notBlank, storable } from '../input/text-limits.ts';
import { type AccountView, accountBody } from './me-body.ts';

/** What may be changed of an account here. */
export interface AccountChange {
  readonly name?: string;
  readonly overage?: boolean;
}

/** Accounts as somebody in the console changes them. */
export interface ChangeableAccounts {
  /** Null when it is gone. */
  change(id: string, change: AccountChange, by: Actor): Promise<AccountView | null>;
}

const changeBody = object({
  name: optional(text('The name', [characters(1, 120), notBlank, storable])),
  overage: optional(flag('The overage field')),
});

/** `PATCH /account`. */
export function accountEndpoints(accounts: ChangeableAccounts): SessionEndpoint[] {
  return [
    sessionEndpoint({
      method: 'PATCH',
      path: '/account',
      operationId: 'consoleChangeAccount',
      access: 'member',
      body: changeBody,
      async handle({ body }, { sessionUser, by }) {
        // Overage spends what the plan does not have: that is for whoever runs the service to allow.
        if (body.overage !== undefined && sessionUser.role !== 'operator') throw new AppError('operator_only');
        const change = { ...body, ...(body.name === undefined ? {} : { name: body.name.trim() }) };
        const account = await accounts.change(sessionUser.accountId, change, by);
        if (account === null) throw new AppError('session_required');
        return { account: accountBody(account) };
      },
    }),
  ];
}
