// npm test: the checks, then every test, with a PostgreSQL and a Redis of this run.
// node scripts/test.ts FILE…: only these tests.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { MissingProgramError } from './programs.ts';
import { type Service, startPostgres, startRedis } from './services.ts';
import { root, testFiles } from './test-files.ts';

const binaries = join(root, 'node_modules', '.bin');
const checks: readonly (readonly [string, ...string[]])[] = [
  [join(binaries, 'tsc')],
  [join(binaries, 'tsc'), '--project', 'sdk', '--noEmit'],
  [join(binaries, 'biome'), 'check', '.'],
  [process.execPath, 'scripts/openapi.ts', '--check'],
  [process.execPath, 'scripts/client-types.ts', '--check'],
  [process.execPath, 'scripts/conformance.ts'],
];
const testing = [
  '--import',
  new URL('longest-file.ts', import.meta.url).href,
  '--test',
  // One more than the two cores of a small machine: many tests wait for processes and timers.
  '--test-concurrency=3',
  '--test-timeout=300000',
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
];
/** A run takes a quarter of an hour on two cores, and on a machine with much else to do twice that. */
const longestMs = 75 * 60_000;
/** What a test run starts, by the variable through which tests find it. */
const services = { TEST_POSTGRES_URL: startPostgres, TEST_REDIS_URL: startRedis } as const;

const started: Service[] = [];
let interrupted = false;
let running: ReturnType<typeof spawn> | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interrupted = true;
    running?.kill(signal);
  });
}

const files = process.argv.slice(2);
try {
  process.exitCode = (files.length > 0 || (await runChecks())) && (await runTests()) ? 0 : 1;
} finally {
  await Promise.all(started.map((service) => service.stop()));
}

async function runChecks(): Promise<boolean> {
  for (const [program, ...parameters] of checks) {
    const script = parameters[0];
    if (script?.startsWith('scripts/') && !existsSync(join(root, script))) continue;
    if (!(await run(program, parameters))) return false;
  }
  return true;
}

async function runTests(): Promise<boolean> {
  const environment: Record<string, string> = {};
  for (const [name, start] of Object.entries(services)) {
    if (process.env[name] === undefined && !interrupted) Object.assign(environment, await startFor(name, start));
  }
  if (files.length > 0) return run(process.execPath, [...testing, ...files], environment);
  const directory = mkdtempSync(join(tmpdir(), 'signalpost-tests-'));
  try {
    const report = join(directory, 'conformance.jsonl');
    const reporting = ['--test-reporter=./scripts/conformance-reporter.ts', `--test-reporter-destination=${report}`];
    // Of a run that failed, what failed is the last that is said.
    return (
      (await run(process.execPath, [...testing, ...reporting, ...testFiles()], environment)) &&
      (await run(process.execPath, ['scripts/conformance.ts', '--ran', report]))
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** A service that cannot be obtained is left to its tests: they are skipped with the reason, or fail in CI. */
async function startFor(name: string, start: () => Promise<Service>): Promise<Record<string, string>> {
  try {
    const service = await start();
    started.push(service);
    return { [name]: service.url };
  } catch (error) {
    if (!(error instanceof MissingProgramError)) throw error;
    console.error(error.message);
    return {};
  }
}

function run(
  program: string,
  parameters: readonly string[],
  environment: Record<string, string> = {},
): Promise<boolean> {
  if (interrupted) return Promise.resolve(false);
  const env = { ...process.env, ...environment, PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}` };
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  running = spawn(program, parameters, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const tooLong = setTimeout(() => {
    console.error(`The run was ended after ${longestMs / 60_000} minutes: what it names as running hangs.`);
    running?.kill('SIGINT');
  }, longestMs);
  running.on('error', reject);
  running.on('exit', (code) => resolve(code === 0));
  return promise.finally(() => clearTimeout(tooLong));
}
