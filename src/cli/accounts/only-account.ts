import { type Command, type Invocation, UsageError } from '../command.ts';
import { withService } from '../open-service.ts';

/** Lets a command about one account run without `--account` where the installation has one account. */
export function withOnlyAccount(command: Command): Command {
  if (command.options.account?.isOnlyAccount !== true) return command;
  return { ...command, run: async (invocation) => command.run(await filledIn(invocation)) };
}

async function filledIn(invocation: Invocation): Promise<Invocation> {
  if (invocation.options.account !== undefined) return invocation;
  const accounts = await withService(invocation.config, (service) => service.accounts.list());
  const [only, ...others] = accounts;
  if (only !== undefined && others.length === 0)
    return { ...invocation, options: { ...invocation.options, account: only.id } };
  const choice = accounts.length === 0 ? 'there is no account yet' : `there are ${accounts.length} accounts`;
  throw new UsageError(`--account is missing, and ${choice}; signalpost accounts list shows them`);
}
