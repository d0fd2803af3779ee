// npm test: every check and every test, with a PostgreSQL and a Redis of this run.
// npm test -- --full: also the suites of endpoints and features on PostgreSQL, which otherwise run on SQLite only. CI=true implies it.
// node scripts/test.ts [OPTION…] FILE…: only these tests. Node's test options, such as --test-name-pattern, apply to them.
import { spawnSync } from 'node:child_process';
import { createWriteStream, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { bundleCheckout } from './bundle-checkout.ts';
import { runChecks } from './checks.ts';
import conformanceReporter from './conformance-reporter.ts';
import { installPrograms, MissingProgramError } from './programs.ts';
import { type Service, startPostgres, startRedis } from './services.ts';
import { groupsOf, root, slowestFirst, testFiles } from './test-files.ts';
import { postgresTemplate, testFixtures } from './test-fixtures.ts';

const runTimeoutMs = 75 * 60_000;
const testTimeoutMs = 300_000;
/** Files wait for processes and timers two thirds of their time. The connections of PostgreSQL are enough for eight files. */
const concurrency = Math.min(3 * availableParallelism(), 8);
/** The services of a run, by the variable through which tests find them. */
const services = { TEST_POSTGRES_URL: startPostgres, TEST_REDIS_URL: startRedis } as const;

const given = process.argv.slice(2).filter((word) => word.startsWith('-'));
const options = given.filter((option) => option !== '--full');
const patterns = process.argv.slice(2).filter((word) => !word.startsWith('-'));

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
setTimeout(() => {
  console.error(`The run was stopped after ${runTimeoutMs / 60_000} minutes. The tests named as cancelled hang.`);
  stop.abort();
}, runTimeoutMs).unref();

process.env.PATH = `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`;
// Test processes load the same modules, and compiling them is half of a process's cost.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compiled');

if (given.length > options.length || process.env.CI === 'true') process.env.TEST_FULL = 'true';

const started: Service[] = [];
const directory = mkdtempSync(join(tmpdir(), 'signalpost-tests-'));
try {
  process.exitCode = (await (patterns.length > 0 ? runChosen() : runAll())) ? 0 : 1;
} finally {
  await Promise.all(started.map((service) => service.stop()));
  rmSync(directory, { recursive: true });
}

async function runChosen(): Promise<boolean> {
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }));
  if (files.length === 0) throw new Error(`no test file matches ${patterns.join(' ')}`);
  return runTests(files);
}

/** The checks run beside the tests, and a failed check stops them. */
async function runAll(): Promise<boolean> {
  const checking = runChecks(stop.signal)
    .catch((error: unknown) => String(error))
    .then((failure) => {
      if (failure !== null) stop.abort();
      return failure;
    });
  installPrograms();
  const report = join(directory, 'conformance.jsonl');
  const passed = await runTests(slowestFirst(testFiles()), report);
  const failure = await checking;
  // The reason comes last, after the report of the tests that were stopped.
  if (failure !== null) console.error(failure);
  return passed && failure === null && conforms(report);
}

/** Writes the module that runs a group of test files in one process, in sequence, each as a suite with its own hooks. */
function moduleOf([file = '', ...others]: readonly string[], index: number): string {
  if (others.length === 0) return file;
  const suites = [file, ...others].map((path) => {
    const url = pathToFileURL(join(root, path)).href;
    return `await describe(${JSON.stringify(path)}, () => import(${JSON.stringify(url)}));\n`;
  });
  const module = join(directory, `group-${index}.mjs`);
  // A test may wait for a timer that does not keep the process alive; without another handle Node would cancel the tests.
  const lines = [
    "import { describe } from 'node:test';\n",
    'const alive = setInterval(() => {}, 60_000);\n',
    ...suites,
  ];
  writeFileSync(module, `${lines.join('')}clearInterval(alive);\n`);
  return module;
}

async function runTests(files: readonly string[], report?: string): Promise<boolean> {
  await Promise.all([
    bundleCheckout(),
    testFixtures().then((paths) => Object.assign(process.env, paths)),
    ...Object.entries(services).map(([name, start]) => startFor(name, start)),
  ]);
  await createPostgresTemplate();
  const events = run({
    files: groupsOf(files).map(moduleOf),
    cwd: root,
    concurrency,
    execArgv: ['--import', join(import.meta.dirname, 'test-process.ts'), `--test-timeout=${testTimeoutMs}`, ...options],
    signal: stop.signal,
  });
  let passed = false;
  events.on('test:summary', ({ file, success }) => {
    if (file === undefined) passed = success;
  });
  const reports = [pipeline(events.compose(new spec()), process.stdout, { end: false })];
  if (report !== undefined) reports.push(pipeline(events.compose(conformanceReporter), createWriteStream(report)));
  await Promise.all(reports);
  return passed;
}

/** A service whose program is missing is left to its tests: they are skipped with the reason, or fail in CI. */
async function startFor(name: string, start: () => Promise<Service>): Promise<void> {
  if (process.env[name] !== undefined) return;
  try {
    const service = await start();
    started.push(service);
    process.env[name] = service.url;
  } catch (error) {
    if (!(error instanceof MissingProgramError)) throw error;
    console.error(error.message);
  }
}

/** Databases for tests are copies of one with an up-to-date schema. */
async function createPostgresTemplate(): Promise<void> {
  if (process.env.TEST_POSTGRES_URL === undefined || process.env.TEST_POSTGRES_TEMPLATE !== undefined) return;
  process.env.TEST_POSTGRES_TEMPLATE = await postgresTemplate(process.env.TEST_POSTGRES_URL);
}

function conforms(report: string): boolean {
  const script = join(import.meta.dirname, 'conformance.ts');
  return spawnSync(process.execPath, [script, '--ran', report], { cwd: root, stdio: 'inherit' }).status === 0;
}
