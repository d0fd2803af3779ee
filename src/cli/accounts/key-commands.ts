import { type KeyRecord, listProblems } from '../../accounts/keys.ts';
import type { PublishableKey } from '../../http/endpoint.ts';
import { wireTime } from '../../http/wire-time.ts';
import { type Command, type Invocation, required, table, UsageError } from '../command.ts';
import { dateOption } from '../date-option.ts';
import { inputText } from '../input-text.ts';
import { withService } from '../open-service.ts';
import { accountOption, ownerOf, ownerOptions, ownerUsage } from '../owner-options.ts';

/** `signalpost keys …`. */
export const keyCommands: readonly Command[] = [
  {
    name: 'keys create',
    usage: `${ownerUsage} [--name N] [--expires DATE] [--publishable --origin ORIGIN … [--disposable]]`,
    summary: 'Create a key; it is shown once',
    options: {
      ...ownerOptions,
      name: { type: 'string', value: 'N', help: 'a name for the key' },
      expires: { type: 'string', value: 'DATE', help: 'when the key stops working' },
      publishable: { type: 'boolean', help: 'for web pages: the key reads hints and nothing else' },
      origin: {
        type: 'string',
        value: 'ORIGIN',
        multiple: true,
        help: 'with --publishable: where the pages are, such as https://app.example.com; may be repeated',
      },
      disposable: { type: 'boolean', help: 'with --publishable: hints say that an address is disposable' },
    },
    example: 'keys create --account ACCOUNT_ID --environment production --name website',
    positionals: [0, 0],
    async run(invocation) {
      const expiresAtMs = dateOption(invocation, 'expires') ?? null;
      const publishable = publishableOf(invocation);
      const input = { ...ownerOf(invocation), name: invocation.options.name ?? null, expiresAtMs, publishable };
      const { record, key } = await withService(invocation.config, ({ keys }) => keys.create(input));
      const next = publishable === null ? '' : `\n\n${formScript(invocation.config, key)}`;
      const text = `Created key ${record.id}. It is shown only now:\n${key}${next}`;
      return { json: { ...wire(record), key }, text };
    },
  },
  {
    name: 'keys list',
    usage: '[--account ID]',
    summary: "List an account's keys, without their secrets",
    options: { account: accountOption },
    example: 'keys list --account ACCOUNT_ID',
    positionals: [0, 0],
    async run(invocation) {
      const accountId = required(invocation, 'account');
      const keys = await withService(invocation.config, async (service) => {
        await service.accounts.read(accountId);
        return service.keys.list(accountId);
      });
      const rows = keys.map((key) => [
        key.id,
        key.environment,
        `${key.prefix}…${key.last4}`,
        key.name ?? '',
        stateOf(key),
        key.lastUsedAtMs === null ? '' : wireTime(key.lastUsedAtMs),
      ]);
      const heading = ['id', 'environment', 'key', 'name', 'state', 'last used'];
      return { json: keys.map(wire), text: table(heading, rows) };
    },
  },
  {
    name: 'keys revoke',
    usage: 'KEY_ID',
    summary: 'Revoke a key; it stops working within a second',
    options: {},
    example: 'keys revoke KEY_ID',
    positionals: [1, 1],
    async run({ config, positionals: [id = ''] }) {
      await withService(config, ({ keys }) => keys.revoke(id));
      return { json: { id, revoked: true }, text: `Revoked key ${id}` };
    },
  },
  {
    name: 'keys import',
    usage: `${ownerUsage} [--name N] < KEYS`,
    summary: 'Import keys from elsewhere, read from standard input, one per line; all of them or none',
    options: { ...ownerOptions, name: { type: 'string', value: 'N', help: 'a name for the keys' } },
    example: 'keys import --account ACCOUNT_ID --environment production',
    positionals: [0, 0],
    async run(invocation) {
      const owner = { ...ownerOf(invocation), name: invocation.options.name ?? 'imported' };
      const lines = (await inputText('-', invocation.io)).split(/\r\n|\n|\r/);
      const result = await withService(invocation.config, ({ keys }) => keys.import(owner, lines));
      const { imported, already, warnings } = result;
      if (warnings.length > 0) {
        invocation.io.stderr.write(
          `signalpost: ${listProblems(warnings)}. These keys were imported; replace them soon\n`,
        );
      }
      const named = imported.length === 1 ? ` ${imported[0]?.id} (…${imported[0]?.last4})` : '';
      return {
        json: { imported: imported.length, already, warnings, keys: imported.map(wire) },
        text: `${imported.length} imported${named}, ${already} already there`,
      };
    },
  },
];

function publishableOf({ flags, repeated }: Invocation): PublishableKey | null {
  const { origin: origins = [] } = repeated;
  if (flags.has('publishable')) return { origins, showsDisposable: flags.has('disposable') };
  if (origins.length > 0 || flags.has('disposable'))
    throw new UsageError('--origin and --disposable need --publishable');
  return null;
}

/** The lines of a page that use the key. */
function formScript({ publicUrl, port }: Invocation['config'], key: string): string {
  const base = publicUrl ?? `http://localhost:${port}`;
  return `In the page:\n<script src="${base}/form.js" data-key="${key}" defer></script>\n<form data-signalpost> … <input type="email" name="email"> … </form>`;
}

function stateOf({ revokedAtMs, expiresAtMs }: KeyRecord): string {
  if (revokedAtMs !== null) return `revoked ${wireTime(revokedAtMs)}`;
  if (expiresAtMs === null) return 'in use';
  return `${expiresAtMs > Date.now() ? 'in use until' : 'expired'} ${wireTime(expiresAtMs)}`;
}

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
    expires_at: key.expiresAtMs === null ? null : wireTime(key.expiresAtMs),
    last_used_at: key.lastUsedAtMs === null ? null : wireTime(key.lastUsedAtMs),
    origins: key.publishable?.origins ?? null,
    disposable: key.publishable?.showsDisposable ?? null,
  };
}
