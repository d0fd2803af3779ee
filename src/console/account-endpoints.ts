import type { Actor } from '../actor.ts';
import { AppError } from '../errors.ts';
import { nested, wireOf } from '../http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { accountEndpoint } from '../http/session-api/account-endpoint.ts';
import { object, optional } from '../input/object.ts';
import { flag, text } from '../input/scalar.ts';
import { characters, noControlCharacters, notBlank, storable } from '../input/text-limits.ts';
import { type AccountView, accountBody } from './me-body.ts';

export interface AccountChange {
  readonly name?: string;
  readonly overage?: boolean;
}

/** Accounts as a console user changes them. */
export interface ChangeableAccounts {
  /** Null when the account no longer exists. */
  change(id: string, change: AccountChange, by: Actor): Promise<AccountView | null>;
}

const changeBody = object({
  name: optional(text('The name', [characters(1, 120), notBlank, storable, noControlCharacters])),
  overage: optional(flag('The overage field')),
});

/** `PATCH /account`. */
export function accountEndpoints(accounts: ChangeableAccounts): Endpoint[] {
  return [
    endpoint({
      ...accountEndpoint,
      method: 'PATCH',
      path: '/account',
      operationId: 'consoleChangeAccount',
      summary: 'Change the account',
      accountRole: 'member',
      body: changeBody,
      response: wireOf<AccountView>({ account: nested(accountBody, (account) => account) }),
      async handle({ body }, { session: { sessionUser, by } }) {
        // Overage spends credits beyond the plan: only an operator may allow it.
        if (body.overage !== undefined && sessionUser.role !== 'operator') throw new AppError('operator_only');
        const change = { ...body, ...(body.name === undefined ? {} : { name: body.name.trim() }) };
        const account = await accounts.change(sessionUser.accountId, change, by);
        if (account === null) throw new AppError('session_required');
        return account;
      },
    }),
  ];
}
