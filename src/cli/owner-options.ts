import { environments } from '../accounts/key-text/key-format.ts';
import type { Owner } from '../http/endpoint.ts';
import { type Command, type Invocation, type Option, required, UsageError } from './command.ts';

/** The account of a command; an installation with one account needs no option. */
export const accountOption: Option = {
  type: 'string',
  value: 'ID',
  help: 'the account, if there are several; signalpost accounts list shows them',
  isOnlyAccount: true,
};

/** The options of a command that works for one environment of an account. */
export const ownerOptions: Command['options'] = {
  account: accountOption,
  environment: { type: 'string', value: 'E', help: environments.join(', ') },
};

/** The same options as the usage line shows them. */
export const ownerUsage = `[--account ID] --environment ${environments.join('|')}`;

/** The account and environment of a command; the command checks whether the account exists. */
export function ownerOf(invocation: Invocation): Owner {
  const accountId = required(invocation, 'account');
  const name = required(invocation, 'environment');
  const environment = environments.find((known) => known === name);
  if (environment === undefined)
    throw new UsageError(`--environment is one of ${environments.join(', ')}, not "${name}"`);
  return { accountId, environment };
}
