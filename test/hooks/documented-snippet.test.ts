import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { requireProgram } from '../../scripts/programs.ts';
import { blocksOf } from '../document-blocks.ts';
import { missingService } from '../services.ts';
import { type StartedApp, startApp } from '../start-app.ts';
import { createSignUpHook } from './auth-servers/sign-up-hook.ts';

const blocked = 'joe@blocked.example';
const allowed = 'jane@gmail.com';
const message = 'Please use the address of your company.';
const withoutPython = await missingService(async () => requireProgram('python3'));

type Ask = (url: string, secret: string, email: string, ip: string | null) => Promise<string | null>;
type Handler = (...given: never[]) => unknown;

const blocks = blocksOf('docs/hooks.md').map(({ source }) => source);
const sourceOf = (mark: string): string => blocks.find((source) => source.includes(mark)) ?? assert.fail(mark);
const ask = sourceOf('function ask');

/** Runs a block with the names that its product gives it; returns what it exports. */
function run<Exported = Record<string, Handler>>(source: string, given: Readonly<Record<string, unknown>>): Exported {
  const module: { exports: unknown } = { exports: {} };
  const names = { exports: module.exports, module, ...given };
  new Function(...Object.keys(names), source)(...Object.values(names));
  return module.exports as Exported;
}

describe('the code in docs/hooks.md', () => {
  let started: StartedApp;
  let env: { readonly HOOK_URL: string; readonly HOOK_SECRET: string };
  before(async () => {
    started = await startApp();
    const base = await started.app.server.listen({ port: 0, host: '127.0.0.1' });
    const { id, secret } = await createSignUpHook(started, 'generic');
    env = { HOOK_URL: `${base}/hooks/${id}`, HOOK_SECRET: secret };
  });
  after(() => started.close());

  it('`ask` returns the message of a block, and null for an allowed sign-up and a service that does not answer', async () => {
    const { asked } = run<{ asked: Ask }>(`${ask}; exports.asked = ask;`, {});
    assert.equal(await asked(env.HOOK_URL, env.HOOK_SECRET, blocked, null), message);
    assert.equal(await asked(env.HOOK_URL, env.HOOK_SECRET, allowed, '8.8.8.8'), null);
    assert.equal(await asked('http://127.0.0.1:1/', env.HOOK_SECRET, blocked, null), null);
  });

  it('an Auth0 Action denies access with the message', async () => {
    const { onExecutePreUserRegistration } = run(ask + sourceOf('Auth0 Action'), {});
    const denied: unknown[] = [];
    const api = { access: { deny: (...given: unknown[]) => denied.push(given) } };
    for (const email of [allowed, blocked]) {
      const event = { user: { email }, request: { ip: '8.8.8.8' }, secrets: env };
      await onExecutePreUserRegistration?.(event as never, api as never);
    }
    assert.deepEqual(denied, [['email', message]]);
  });

  it('a Cognito trigger throws the message, and returns the event otherwise', async () => {
    const { handler } = run(ask + sourceOf('Cognito'), { process: { env } });
    const eventOf = (email: string) => ({ request: { userAttributes: { email } } }) as never;
    assert.deepEqual(await handler?.(eventOf(allowed)), eventOf(allowed));
    await assert.rejects(Promise.resolve(handler?.(eventOf(blocked))), { message });
  });

  it('a Directus extension throws an error with the message and status 422', async () => {
    const createError = (code: string, text: string, status: number) =>
      class extends Error {
        override message = text;
        extensions = { code, status };
      };
    const register = run<Handler>(ask + sourceOf('Directus'), {
      require: (name: string) => (name === '@directus/errors' ? { createError } : assert.fail(name)),
    });
    let filter: ((user: { email: string }) => Promise<void>) | undefined;
    const events = {
      filter: (event: string, work: typeof filter) => {
        assert.equal(event, 'users.create');
        filter = work;
      },
    };
    register(events as never, { env } as never);
    await filter?.({ email: allowed });
    await assert.rejects(Promise.resolve(filter?.({ email: blocked })), {
      message,
      extensions: { code: 'EMAIL_REFUSED', status: 422 },
    });
  });

  it('a PocketBase hook throws the message, and continues otherwise', async () => {
    // PocketBase sends synchronously: the answers are fetched before.
    const answers = new Map<string, object>();
    for (const email of [allowed, blocked]) {
      const body = JSON.stringify({ email, ip: '8.8.8.8' });
      const headers = { authorization: `Bearer ${env.HOOK_SECRET}` };
      const answer = await fetch(env.HOOK_URL, { method: 'POST', headers, body });
      answers.set(JSON.stringify([env.HOOK_URL, 'POST', headers, body]), {
        ...{ statusCode: answer.status, json: await answer.json() },
      });
    }
    let hook: ((event: object) => void) | undefined;
    run(sourceOf('PocketBase'), {
      $os: { getenv: (name: keyof typeof env) => env[name] },
      $http: {
        send: ({ url, method, headers, body }: Record<string, unknown>) =>
          answers.get(JSON.stringify([url, method, headers, body])) ?? assert.fail('another request'),
      },
      BadRequestError: Error,
      onRecordCreateRequest: (work: typeof hook) => {
        hook = work;
      },
    });
    const created: string[] = [];
    const create = (email: string) =>
      hook?.({ record: { email: () => email }, realIP: () => '8.8.8.8', next: () => created.push(email) });
    create(allowed);
    assert.throws(() => create(blocked), { message });
    assert.deepEqual(created, [allowed]);
  });

  it('an authentik policy fails with the message, and passes otherwise', { skip: withoutPython }, async () => {
    const policy = sourceOf('authentik').replace('"HOOK_URL"', JSON.stringify(env.HOOK_URL));
    const program = `
import json, sys, urllib.request, urllib.error
from types import SimpleNamespace
class requests:
    @staticmethod
    def post(url, json, headers, timeout):
        data = globals()["json"].dumps(json).encode()
        request = urllib.request.Request(url, data, {**headers, "Content-Type": "application/json"})
        try:
            answer = urllib.request.urlopen(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            answer = error
        text = answer.read()
        return SimpleNamespace(status_code=answer.status, json=lambda: globals()["json"].loads(text))
def policy(request, ak_client_ip, ak_message):
${policy.replace('SECRET"', `${env.HOOK_SECRET}"`).replace(/^/gm, '    ')}
for email in sys.argv[1:]:
    messages = []
    passed = policy(SimpleNamespace(context={"prompt_data": {"email": email}}), "8.8.8.8", messages.append)
    print(json.dumps([passed, messages]))
`;
    const { stdout } = await promisify(execFile)('python3', ['-c', program, allowed, blocked]);
    assert.deepEqual(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
      [
        [true, []],
        [false, [message]],
      ],
    );
  });
});
