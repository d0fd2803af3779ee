import { createApp } from '../app/app.ts';
import type { Config } from '../config.ts';
import { type FormatName, formatNames, formatOf } from '../hooks/formats/all.ts';
import { defaultMessage, type Hook } from '../hooks/hook.ts';
import type { Hooks } from '../hooks/hooks.ts';
import type { Author, Call, Endpoint } from '../http/endpoint.ts';
import { ulid } from '../ulid.ts';
import { type Command, type Invocation, type Output, required, table, UsageError } from './command.ts';
import { commandLog } from './command-log.ts';
import { consoleBase } from './console-base.ts';
import { withOwner, withService } from './open-service.ts';
import type { Stores } from './open-stores.ts';
import { ownerOf, ownerOptions, ownerUsage } from './owner-options.ts';

const secretOption: Command['options'] = {
  secret: { type: 'string', value: 'S', help: 'the secret; generated unless given' },
};

/** `signalpost hooks …`. */
export const hookCommands: readonly Command[] = [
  {
    name: 'hooks create',
    usage: `${ownerUsage} --gate ID --format F [--name N]`,
    summary: 'Create a hook for an auth server, and print its secret and what to set at the server',
    options: {
      ...ownerOptions,
      gate: { type: 'string', value: 'ID', help: 'the gate that decides' },
      format: { type: 'string', value: 'F', help: formatNames.join(', ') },
      name: { type: 'string', value: 'N', help: "the hook's name; the server's unless given" },
    },
    example: 'hooks create --account ACCOUNT_ID --environment production --gate GATE_ID --format supabase',
    positionals: [0, 0],
    run: (invocation) => withHooks(invocation, (opened) => createHook(opened, invocation)),
  },
  {
    name: 'hooks list',
    usage: ownerUsage,
    summary: "List an environment's hooks: name, format, last call, last error",
    options: ownerOptions,
    example: 'hooks list --account ACCOUNT_ID --environment production',
    positionals: [0, 0],
    run: (invocation) => withHooks(invocation, ({ hooks }) => listHooks(hooks, invocation)),
  },
  {
    name: 'hooks test',
    usage: 'ID --email E [--ip I]',
    summary: 'Show what the auth server would send for a sign-up, and the response; nothing is logged',
    options: {
      email: { type: 'string', value: 'E', help: 'the address of the sign-up' },
      ip: { type: 'string', value: 'I', help: "the visitor's IP address" },
    },
    example: 'hooks test HOOK_ID --email jane@example.com',
    positionals: [1, 1],
    run: testHook,
  },
  {
    name: 'hooks rotate',
    usage: 'ID [--secret S]',
    summary: 'Replace the secret of a hook; the old one is accepted for 24 hours more',
    options: secretOption,
    example: 'hooks rotate HOOK_ID',
    positionals: [1, 1],
    run: (invocation) =>
      withHook(invocation, async (hook, { hooks, author }) => {
        const sent = { secret: invocation.options.secret, keepOld: true };
        return withSecret((await hooks.rotateSecret(author, hook.id, sent)).hook, invocation.config);
      }),
  },
  {
    name: 'hooks delete',
    usage: 'ID',
    summary: 'Delete a hook; its URL then answers 404',
    options: {},
    example: 'hooks delete HOOK_ID',
    positionals: [1, 1],
    run: (invocation) =>
      withHook(invocation, async ({ id }, { hooks, author }) => {
        await hooks.remove(author, id);
        return { json: { deleted: id }, text: `Deleted ${id}` };
      }),
  },
];

interface Opened {
  readonly hooks: Hooks;
  readonly author: Author;
}

const withHooks = <T>(invocation: Invocation, work: (opened: Opened) => Promise<T>): Promise<T> =>
  withOwner(invocation, ({ hooks }, author) => work({ hooks, author }));

/** Finds the hook that a command names by its id alone. */
function withHook<T>(invocation: Invocation, work: (hook: Hook, opened: Opened) => Promise<T>): Promise<T> {
  return withService(invocation.config, async ({ stores, hooks, by }) => {
    const hook = await hookNamed(stores, invocation);
    return work(hook, { hooks, author: { ...hook.owner, by } });
  });
}

async function hookNamed({ hooks }: Stores, { positionals: [id = ''] }: Invocation): Promise<Hook> {
  const found = (await hooks.all()).find((hook) => hook.id === id.toLowerCase());
  if (found === undefined) throw new Error(`there is no hook ${id}`);
  return found;
}

async function createHook({ hooks, author }: Opened, invocation: Invocation): Promise<Output> {
  const given = required(invocation, 'format');
  const format = formatNames.find((name): name is FormatName => name === given);
  if (format === undefined) throw new UsageError(`--format is one of ${formatNames.join(', ')}, not "${given}"`);
  const settings = {
    name: invocation.options.name ?? formatOf(format).label,
    gateId: required(invocation, 'gate').toLowerCase(),
    enabled: true,
    challenge: 'allow',
    unavailable: 'allow',
    message: defaultMessage,
  } as const;
  const { hook } = await hooks.create(author, { settings, format, secret: undefined });
  return withSecret(hook, invocation.config);
}

const urlOf = ({ id }: Hook, config: Config): string => `${consoleBase(config)}/hooks/${id}`;

/** A hook with the secret that only this output shows. */
function withSecret(hook: Hook, config: Config): Output {
  const { id, name, format, secrets } = hook;
  const url = urlOf(hook, config);
  const configuration = formatOf(format).configuration(url, secrets.current ?? 'THE_SECRET');
  const steps = configuration.map(
    ({ title, code }, index) => `\n${index + 1}. ${title}${code === null ? '' : `\n\n${code}`}`,
  );
  const set = `Set the secret that ${formatOf(format).label} shows with: signalpost hooks rotate ${id} --secret SECRET`;
  const secret = secrets.current === null ? set : `Secret (shown once): ${secrets.current}`;
  return {
    json: { id, name, format, url, secret: secrets.current, configuration },
    text: [`Hook ${id}: ${name}`, `URL: ${url}`, secret, ...steps].join('\n'),
  };
}

async function listHooks(hooks: Hooks, invocation: Invocation): Promise<Output> {
  const all = await hooks.list(ownerOf(invocation));
  const json = all.map(({ hook, calls }) => ({
    id: hook.id,
    name: hook.name,
    format: hook.format,
    gate_id: hook.gateId,
    enabled: hook.enabled,
    url: urlOf(hook, invocation.config),
    last_call_at: hook.lastCallAtMs === null ? null : new Date(hook.lastCallAtMs).toISOString(),
    last_error: hook.lastError,
    calls_24h: calls,
  }));
  const rows = json.map(({ id, name, format, last_call_at, last_error }) => [
    id,
    name,
    format,
    last_call_at ?? 'never',
    last_error ?? '',
  ]);
  return { json: { hooks: json }, text: table(['ID', 'NAME', 'FORMAT', 'LAST CALL', 'LAST ERROR'], rows) };
}

/** Runs the endpoint in a service without a port, so that blocklist, lists and counts are those of the running one. */
async function testHook(invocation: Invocation): Promise<Output> {
  const { config, options, positionals } = invocation;
  const email = required(invocation, 'email');
  const hook = await withService(config, ({ stores }) => hookNamed(stores, invocation));
  const app = await createApp({ ...config, listsRefresh: 'off' }, { log: commandLog(), now: Date.now });
  try {
    const endpoint = app.endpoints.find(({ operationId }) => operationId === 'testHook') as Endpoint;
    const caller = await app.callerOf(hook.owner);
    const call = {
      params: { hook_id: positionals[0] ?? '' },
      query: {},
      body: { kind: 'json', value: { email, ip: options.ip ?? null } },
      caller,
      requestId: ulid(Date.now()),
      stages: { enter() {}, endWait() {}, report() {} },
      baseUrl: consoleBase(config) || 'http://127.0.0.1',
    } as unknown as Call;
    const prepared = await endpoint.prepare(call);
    const { data } = JSON.parse(endpoint.textOf(await prepared.work()) ?? '{}') as { data: HookTest };
    return { json: data, text: testText(data) };
  } finally {
    await app.close();
  }
}

interface HookTest {
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: object };
  readonly response: { readonly status: number; readonly body: string };
}

function testText({ request, response }: HookTest): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return [
    `POST ${request.url}`,
    ...headers,
    '',
    JSON.stringify(request.body, null, 2),
    '',
    `→ ${response.status} ${response.body === '' ? '(empty body)' : response.body}`,
  ].join('\n');
}
