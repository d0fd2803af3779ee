// npm run test:auth-servers [-- --record]: signs up through real auth servers that ask a hook of the service.
//   SUPABASE_AUTH, KRATOS   the paths of their programs; a server without one is left out
//   --record                writes the exchanges that test/hooks/recorded.test.ts replays
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hookCaller } from '../../hook-caller.ts';
import { realClock, startApp } from '../../start-app.ts';
import type { AuthServer, AuthServerKind } from './auth-server.ts';
import { kratos } from './kratos.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';
import { createSignUpHook } from './sign-up-hook.ts';
import { supabase } from './supabase.ts';

const kinds: Readonly<Record<string, AuthServerKind>> = { supabase, kratos };
const { values } = parseArgs({ options: { record: { type: 'boolean' } } });
const started = await startApp({}, { clock: realClock() });
const base = await started.app.server.listen({ port: 0, host: '127.0.0.1' });
const proxy = await startRecordingProxy(base);
let isWrong = false;
for (const [format, kind] of Object.entries(kinds)) {
  const program = process.env[kind.variable];
  if (program === undefined) console.log(`${format}: not run, ${kind.variable} is not set`);
  else await tryServer(format, kind, program);
}
proxy.close();
await started.close();
process.exit(isWrong ? 1 : 0);

/** What each sign-up must come to: [name, address, whether the visitor is let in, what is different]. */
type Step = readonly [name: string, email: string, isAllowed: boolean, change?: (proxy: RecordingProxy) => void];

async function tryServer(format: string, kind: AuthServerKind, program: string): Promise<void> {
  const hook = await createSignUpHook(started, format);
  const steps: readonly Step[] = [
    ['allowed', 'jane@gmail.com', true],
    ['allowed again', 'joan@gmail.com', true],
    ['blocked by a rule', 'joe@blocked.example', false],
    ['challenged, let in', 'joe@challenged.example', true],
    ['disposable', 'joe@mailinator.com', false],
    [
      'service slow (1.5 s)',
      'jack@gmail.com',
      true,
      () => {
        proxy.delayMs = 1_500;
      },
    ],
    [
      'service stopped',
      'jill@gmail.com',
      false,
      () => {
        proxy.isStopped = true;
      },
    ],
  ];
  const server = await kind.start(program, { url: `${proxy.url}/hooks/${hook.id}`, secret: hook.secret });
  proxy.exchanges.length = 0;
  for (const step of steps) await trySignUp(server, format, step);
  proxy.delayMs = 0;
  proxy.isStopped = false;
  await server.stop();
  if (values.record) record(format, hook.secret);
  const wrong = format === 'supabase' ? `v1,whsec_${Buffer.alloc(32).toString('base64')}` : 'another-secret-0123456789';
  const misconfigured = await kind.start(program, { url: `${proxy.url}/hooks/${hook.id}`, secret: wrong });
  await trySignUp(misconfigured, format, ['wrong secret', 'jim@gmail.com', false]);
  await misconfigured.stop();
  console.log(`  last_error: ${(await hookCaller(started, started.keys.production).read(hook.id)).last_error}`);
}

async function trySignUp(server: AuthServer, format: string, [name, email, isAllowed, change]: Step): Promise<void> {
  change?.(proxy);
  const calls = proxy.exchanges.length;
  const startedMs = performance.now();
  const { status, message } = await server.signUp(email);
  const totalMs = Math.round(performance.now() - startedMs);
  const own = proxy.exchanges.slice(calls).map(({ durationMs }) => `${durationMs.toFixed(1)} ms`);
  const isRight = (status === 200) === isAllowed;
  if (!isRight) isWrong = true;
  const result = `${status} ${message === '' ? '' : JSON.stringify(message)}`;
  console.log(
    `${isRight ? 'ok   ' : 'WRONG'} ${format}: ${name}: ${result} (${totalMs} ms, the hook ${own.join(', ') || 'not reached'})`,
  );
}

/** Only what the tests replay: the secret belongs to a service that no longer exists. */
function record(format: string, secret: string): void {
  const exchanges = proxy.exchanges.map(({ request, response }) => ({ request, response }));
  const file = join(import.meta.dirname, '..', 'recorded', `${format}.json`);
  writeFileSync(file, `${JSON.stringify({ secret, exchanges }, null, 2)}\n`);
}
