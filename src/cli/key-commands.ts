import { text as readText } from 'node:stream/consumers';
import type { KeyRecord } from '../accounts/keys.ts';
import { wireTime } from '../http/wire-time.ts';
import { type Command, required, table } from './command.ts';
import { ownerOf, ownerOptions, ownerUsage } from './owner-options.ts';
import { withWorkspace } from './workspace.ts';

/** `signalpost keys …`. */
export const keyCommands: readonly Command[] = [
  {
    name: 'keys create',
    usage: `${ownerUsage} [--name N]`,
    summary: 'Create a key; it is shown once',
    options: { ...ownerOptions, name: { type: 'string' } },
    positionals: [0, 0],
    async run(invocation) {
      const input = { ...ownerOf(invocation), name: invocation.options.name ?? null };
      const { record, key } = await withWorkspace(invocation.config, ({ keys }) => keys.create(input));
      return { json: { ...wire(record), key }, text: `Created key ${record.id}. It is shown only now:\n${key}` };
    },
  },
  {
    name: 'keys list',
    usage: '--account ID',
    summary: "List an account's keys, without their secrets",
    options: { account: { type: 'string' } },
    positionals: [0, 0],
    async run(invocation) {
      const accountId = required(invocation, 'account');
      const keys = await withWorkspace(invocation.config, (workspace) => workspace.keys.list(accountId));
      const rows = keys.map((key) => [
        key.id,
        key.environment,
        `${key.prefix}…${key.last4}`,
        key.name ?? '',
        key.revokedAtMs === null ? 'in use' : `revoked ${wireTime(key.revokedAtMs)}`,
      ]);
      return { json: keys.map(wire), text: table(['id', 'environment', 'key', 'name', 'state'], rows) };
    },
  },
  {
    name: 'keys revoke',
    usage: 'KEY_ID',
    summary: 'Revoke a key; it stops working within a second',
    options: {},
    positionals: [1, 1],
    async run({ config, positionals: [id = ''] }) {
      await withWorkspace(config, ({ keys }) => keys.revoke(id));
      return { json: { id, revoked: true }, text: `Revoked key ${id}` };
    },
  },
  {
    name: 'keys import',
    usage: `${ownerUsage} < KEY`,
    summary: 'Take over a key from elsewhere, read from standard input',
    options: ownerOptions,
    positionals: [0, 0],
    async run(invocation) {
      const input = ownerOf(invocation);
      const key = (await readText(process.stdin)).replace(/\r?\n$/, '');
      const record = await withWorkspace(invocation.config, ({ keys }) => keys.import({ ...input, key }));
      return { json: wire(record), text: `Imported key ${record.id} (…${record.last4})` };
    },
  },
];

function wire(key: KeyRecord): object {
  return {
    id: key.id,
    account: key.accountId,
    environment: key.environment,
    name: key.name,
    prefix: key.prefix,
    last4: key.last4,
    created_at: wireTime(key.createdAtMs),
    revoked_at: key.revokedAtMs === null ? null : wireTime(key.revokedAtMs),
  };
}
