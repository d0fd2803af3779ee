import { type Command, type Invocation, UsageError } from './command.ts';

/** Fills in the account of a command when it was left out and the installation has one account. */
export async function withOnlyAccount(command: Command, invocation: Invocation): Promise<Invocation> {
  if (command.options.account?.isOnlyAccount !== true || invocation.options.account !== undefined) return invocation;
  // Loaded here: `--help` and `serve` need no database.
  const { withWorkspace } = await import('./workspace.ts');
  const accounts = await withWorkspace(invocation.config, (workspace) => workspace.accounts.list());
  const [only, ...others] = accounts;
  if (only !== undefined && others.length === 0)
    return { ...invocation, options: { ...invocation.options, account: only.id } };
  const choice = accounts.length === 0 ? 'there is no account yet' : `there are ${accounts.length} accounts`;
  throw new UsageError(`--account is missing, and ${choice}; signalpost accounts list shows them`);
}
