// npm run test:auth-servers [-- --record]: signs up through real auth servers that ask a hook of the service.
//   SUPABASE_AUTH, KRATOS   the paths of their programs, built from their repositories with `go build .`
//   WORKOS_CLIENT           lib/index.mjs of the package @workos-inc/node, which signs in the place of WorkOS
//   --record                writes the exchanges that test/hooks/recorded.test.ts replays
// A server without its variable is left out.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hookCaller } from '../../hook-caller.ts';
import { realClock, startApp } from '../../start-app.ts';
import type { AuthServer, AuthServerKind, CalledHook } from './auth-server.ts';
import { kratos } from './kratos.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';
import { createSignUpHook } from './sign-up-hook.ts';
import { supabase } from './supabase.ts';
import { workos } from './workos.ts';

const kinds: Readonly<Record<string, AuthServerKind>> = { supabase, kratos, workos };
const measuredSignUps = 30;
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

/** A sign-up and what it must come to; a null address is an anonymous one. */
interface Step {
  readonly name: string;
  readonly email: string | null;
  readonly isAllowed: boolean;
  readonly change?: (proxy: RecordingProxy) => void;
}

async function tryServer(format: string, kind: AuthServerKind, program: string): Promise<void> {
  const hook = await createSignUpHook(started, format, kind.secret);
  const url = `${proxy.url}/hooks/${hook.id}`;
  const wrong = format === 'supabase' ? `v1,whsec_${Buffer.alloc(32).toString('base64')}` : 'another-secret-0123456789';
  const withServer = async (called: CalledHook, work: (server: AuthServer) => Promise<void>): Promise<void> => {
    const server = await kind.start(program, called);
    await work(server);
    await server.stop();
  };
  proxy.exchanges.length = 0;
  await withServer({ url, secret: hook.secret }, async (server) => {
    for (const step of stepsOf(server)) await trySignUp(server, format, step);
  });
  proxy.delayMs = 0;
  proxy.isStopped = false;
  if (kind.joinSecrets) {
    await withServer({ url, secret: kind.joinSecrets([wrong, hook.secret]) }, (server) =>
      trySignUp(server, format, { name: 'two secrets', email: 'june@gmail.com', isAllowed: true }),
    );
  }
  if (values.record) record(format, hook.secret);
  await withServer({ url, secret: wrong }, (server) =>
    trySignUp(server, format, { name: 'wrong secret', email: 'jim@gmail.com', isAllowed: false }),
  );
  console.log(`  last_error: ${(await hookCaller(started, started.keys.production).read(hook.id)).last_error}`);
  // Without the proxy, and in turns: the machine's load changes.
  const asking = await kind.start(program, { url: `${base}/hooks/${hook.id}`, secret: hook.secret });
  const silent = await kind.start(program, { url: null, secret: hook.secret });
  await measure({ asking, silent });
  await Promise.all([asking.stop(), silent.stop()]);
}

function stepsOf(server: AuthServer): Step[] {
  return [
    { name: 'allowed', email: 'jane@gmail.com', isAllowed: true },
    { name: 'allowed again', email: 'joan@gmail.com', isAllowed: true },
    { name: 'blocked by a rule', email: 'joe@blocked.example', isAllowed: false },
    { name: 'challenged, let in', email: 'joe@challenged.example', isAllowed: true },
    { name: 'disposable', email: 'joe@mailinator.com', isAllowed: false },
    ...(server.signUpAnonymously ? [{ name: 'anonymous', email: null, isAllowed: true }] : []),
    {
      name: 'service slow (1.5 s)',
      email: 'jack@gmail.com',
      isAllowed: true,
      change: (between) => {
        between.delayMs = 1_500;
      },
    },
    {
      name: 'service stopped',
      email: 'jill@gmail.com',
      isAllowed: false,
      change: (between) => {
        between.isStopped = true;
      },
    },
  ];
}

async function trySignUp(server: AuthServer, format: string, step: Step): Promise<void> {
  const { name, email, isAllowed, change } = step;
  change?.(proxy);
  const calls = proxy.exchanges.length;
  const startedMs = performance.now();
  const seen = await (email === null ? server.signUpAnonymously?.() : server.signUp(email));
  const totalMs = Math.round(performance.now() - startedMs);
  const own = proxy.exchanges.slice(calls).map(({ durationMs }) => `${durationMs.toFixed(1)} ms`);
  const isRight = (seen?.status === 200) === isAllowed;
  if (!isRight) isWrong = true;
  const result = `${seen?.status} ${seen?.message ? JSON.stringify(seen.message) : ''}`;
  console.log(
    `${isRight ? 'ok   ' : 'WRONG'} ${format}: ${name}: ${result} (${totalMs} ms, the hook ${own.join(', ') || 'not reached'})`,
  );
}

/** The time of a sign-up with and without the hook. */
async function measure(servers: Readonly<Record<'asking' | 'silent', AuthServer>>): Promise<void> {
  const times: Record<keyof typeof servers, number[]> = { asking: [], silent: [] };
  for (let count = 0; count < measuredSignUps; count += 1) {
    for (const name of ['asking', 'silent'] as const) {
      const startedMs = performance.now();
      await servers[name].signUp(`measured${count}@gmail.com`);
      times[name].push(performance.now() - startedMs);
    }
  }
  const [asking, silent] = [median(times.asking), median(times.silent)];
  console.log(
    `  a sign-up takes ${asking.toFixed(1)} ms with the hook, ${silent.toFixed(1)} ms without (medians of ${measuredSignUps}): ${(asking - silent).toFixed(1)} ms more`,
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** Only what the tests replay: the secret belongs to a service that no longer exists. */
function record(format: string, secret: string): void {
  const exchanges = proxy.exchanges.map(({ request, response }) => ({ request, response }));
  const file = join(import.meta.dirname, '..', 'recorded', `${format}.json`);
  writeFileSync(file, `${JSON.stringify({ secret, exchanges }, null, 2)}\n`);
}
