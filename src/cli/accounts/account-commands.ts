import type { Account } from '../../accounts/accounts.ts';
import { wireTime } from '../../http/wire-time.ts';
import { type Command, required, table, UsageError } from '../command.ts';
import { withService } from '../open-service.ts';
import { removeAccount } from './account-removal.ts';

/** `signalpost accounts …`. */
export const accountCommands: readonly Command[] = [
  {
    name: 'accounts create',
    usage: '--name N --email E --plan P',
    summary: 'Create an account',
    options: {
      name: { type: 'string', value: 'N', help: 'the name of the account' },
      email: { type: 'string', value: 'E', help: 'its address' },
      plan: { type: 'string', value: 'P', help: 'the id of its plan' },
    },
    example: 'accounts create --name Acme --email jane@example.com --plan free',
    positionals: [0, 0],
    async run(invocation) {
      const input = {
        name: required(invocation, 'name'),
        email: required(invocation, 'email'),
        planId: required(invocation, 'plan'),
      };
      const account = await withService(invocation.config, ({ accounts }) => accounts.create(input));
      return { json: wire(account), text: `Created account ${account.id} (${account.planId})` };
    },
  },
  {
    name: 'accounts list',
    usage: '',
    summary: 'List the accounts',
    options: {},
    example: 'accounts list',
    positionals: [0, 0],
    async run({ config }) {
      const accounts = await withService(config, (service) => service.accounts.list());
      const rows = accounts.map(({ id, name, email, planId, overage }) => [
        id,
        name,
        email,
        planId,
        overage ? 'on' : 'off',
      ]);
      return { json: accounts.map(wire), text: table(['id', 'name', 'email', 'plan', 'overage'], rows) };
    },
  },
  {
    name: 'accounts update',
    usage: 'ID [--name N] [--email E]',
    summary: 'Change the name or the email address of an account',
    options: {
      name: { type: 'string', value: 'N', help: 'the new name' },
      email: { type: 'string', value: 'E', help: 'the new address' },
    },
    example: 'accounts update ACCOUNT_ID --name Acme',
    positionals: [1, 1],
    async run({ config, options: { name, email }, positionals: [id = ''] }) {
      if (name === undefined && email === undefined) throw new UsageError('give --name, --email or both');
      const change = { ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email }) };
      const account = await withService(config, ({ accounts }) => accounts.update(id, change));
      return { json: wire(account), text: `Account ${id} is ${account.name} <${account.email}> now` };
    },
  },
  {
    name: 'accounts delete',
    usage: 'ID --yes',
    summary: 'Remove an account with its keys, gates, decision logs, statistics and blocklists; this cannot be undone',
    options: { yes: { type: 'boolean', help: 'confirm that everything of the account is removed' } },
    example: 'accounts delete ACCOUNT_ID --yes',
    positionals: [1, 1],
    async run({ config, flags, positionals: [id = ''] }) {
      if (!flags.has('yes')) throw new UsageError('this cannot be undone; add --yes');
      await withService(config, (service) => removeAccount(service, id));
      return { json: { id, deleted: true }, text: `Deleted account ${id} and everything that belonged to it` };
    },
  },
  {
    name: 'accounts set-plan',
    usage: 'ID PLAN',
    summary: 'Move an account to another plan',
    options: {},
    example: 'accounts set-plan ACCOUNT_ID pro-200k',
    positionals: [2, 2],
    async run({ config, positionals: [id = '', planId = ''] }) {
      await withService(config, ({ accounts }) => accounts.setPlan(id, planId));
      return { json: { id, plan: planId }, text: `Account ${id} has the plan ${planId} now` };
    },
  },
  {
    name: 'accounts set-overage',
    usage: 'ID on|off',
    summary: 'Allow an account to use more credits than its plan has, or not',
    options: {},
    example: 'accounts set-overage ACCOUNT_ID on',
    positionals: [2, 2],
    async run({ config, positionals: [id = '', state = ''] }) {
      if (state !== 'on' && state !== 'off') throw new UsageError(`overage is on or off, not "${state}"`);
      await withService(config, ({ accounts }) => accounts.setOverage(id, state === 'on'));
      return { json: { id, overage: state === 'on' }, text: `Overage of account ${id} is ${state} now` };
    },
  },
];

function wire(account: Account): object {
  const { id, name, email, planId, overage, createdAtMs } = account;
  return { id, name, email, plan: planId, overage, created_at: wireTime(createdAtMs) };
}
