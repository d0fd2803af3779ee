import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseOptions } from '../src/db/db.ts';
import { shareSnapshot } from '../test/shared-snapshot.ts';
import { fillIn } from './fill-in.ts';
import type { Load, LoadResult } from './load-generator.ts';
import { paced } from './pace.ts';
import type { CpuReport } from './report-cpu.ts';
import type { Row } from './row.ts';
import { median } from './time-per-call.ts';

/** A request to repeat; path and body may contain the placeholders of `fillIn`. */
export interface BenchRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** Creates the objects that the request needs, such as a gate, and then the request. */
export type PrepareRequest = (service: { url: string; key: string }) => Promise<BenchRequest>;

const connections = 16;
/**
 * The number of responses matters more than time: the first thousands run code that is not optimised yet and cost several times
 * as much. Decisions become cheaper until about 60,000 were made (215, 115, 100 µs after 5, 30 and 60 thousand).
 */
const warmUp = { durationMs: paced(3_000, 500), minAnswers: paced(60_000, 6_000) };
const round = { durationMs: paced(1_500, 400), minAnswers: paced(5_000, 1_500) };
const rounds = paced(5, 2);
/** The longest flush delay of counts, so that each round includes its share of the writes. */
const longRound = { durationMs: paced(20_000, 400), minAnswers: warmUp.minAnswers };

/** The first line of a server's output. */
interface Started {
  readonly address: string;
  readonly keys?: readonly { environment: string; key: string }[];
}

interface ServerProcess {
  readonly child: ChildProcess;
  readonly port: number;
  readonly key: string;
}

/**
 * Measures responses per second of CPU time, alternately of the service and of a bare node:http that sends the same body,
 * loaded by a third process. A busy machine affects CPU time least.
 */
export async function compareWithBareServer(
  what: string,
  request: BenchRequest | PrepareRequest,
  goal?: string,
  settings?: NodeJS.ProcessEnv,
): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'signalpost-bench-'));
  const children: ChildProcess[] = [];
  try {
    const service = await startService(directory, children, settings);
    const asked =
      typeof request === 'function'
        ? await request({ url: `http://127.0.0.1:${service.port}`, key: service.key })
        : request;
    const bare = await startServer(['bench/bare-server.ts'], { BENCH_BODY: await bodyOf(service, asked) }, children);
    const generator = fork(join(import.meta.dirname, 'load-generator.ts'), { stdio: 'inherit' });
    children.push(generator);
    const loadOf = (server: ServerProcess, length: typeof round): Load => ({
      port: server.port,
      request: requestText(asked, service.key),
      connections,
      ...length,
    });
    for (const server of [service, bare]) await sendLoad(generator, loadOf(server, warmUp));
    const results = { service: [] as number[], bare: [] as number[] };
    for (let count = 0; count < rounds; count += 1) {
      results.bare.push(await perCpuSecond(bare, generator, loadOf(bare, round)));
      results.service.push(await perCpuSecond(service, generator, loadOf(service, round)));
    }
    const unit = 'responses / CPU s';
    const ratio = median(results.service.map((value, index) => value / (results.bare[index] ?? value)));
    return [
      { what: `${what}, bare node:http`, value: median(results.bare), unit, ratio: 1 },
      { what, value: median(results.service), unit, ratio, ...(goal === undefined ? {} : { goal }) },
    ];
  } finally {
    await Promise.all(children.map(stop));
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Many short turns: the writes that decisions leave behind fall on all requests alike. */
const turn = { durationMs: 0, minAnswers: 1_000 };
const turns = paced(40, 5);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Requests to one service, by what they measure. */
export type NamedRequests = Readonly<Record<string, BenchRequest>>;

/** Measures the processor time of several requests to one service, alternately; the first is the baseline of the ratios. */
export async function compareRequests(
  prepare: (service: { url: string; key: string }) => Promise<NamedRequests>,
  goal: string,
): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'signalpost-bench-'));
  const children: ChildProcess[] = [];
  try {
    // Preparing may take as much of the processor as it needs.
    const service = await startService(directory, children, { ACCOUNT_CPU_PERCENT: '100' });
    const requests = Object.entries(await prepare({ url: `http://127.0.0.1:${service.port}`, key: service.key }));
    const generator = fork(join(import.meta.dirname, 'load-generator.ts'), { stdio: 'inherit' });
    children.push(generator);
    const loadOf = (request: BenchRequest, length: typeof round): Load => ({
      port: service.port,
      request: requestText(request, service.key),
      connections,
      ...length,
    });
    const each = { durationMs: 0, minAnswers: Math.ceil(warmUp.minAnswers / requests.length) };
    for (const [, request] of requests) await sendLoad(generator, loadOf(request, each));
    const costs = requests.map((): number[] => []);
    for (let count = 0; count < turns; count += 1) {
      // Rotated, so that periodic writes fall on all requests alike.
      for (let place = 0; place < requests.length; place += 1) {
        const index = (place + count) % requests.length;
        const [, request] = requests[index] as [string, BenchRequest];
        costs[index]?.push(1e6 / (await perCpuSecond(service, generator, loadOf(request, turn))));
      }
    }
    return requests.map(([what], index) => ({
      what,
      value: mean(costs[index] ?? []),
      unit: 'µs CPU',
      ratio: mean(costs[index] ?? []) / mean(costs[0] ?? []),
      ...(index === 0 ? {} : { goal }),
    }));
  } finally {
    await Promise.all(children.map(stop));
    rmSync(directory, { recursive: true, force: true });
  }
}

/** One kind of load on a separate service. */
export interface LoadKind {
  readonly database: DatabaseOptions;
  readonly request: BenchRequest;
  /** The keys of the requests, in turn. */
  readonly keys: readonly string[];
}

/** The cost of a kind of load. */
export interface LoadCosts {
  /** CPU time per response, including the concurrent writes of earlier ones. */
  readonly answerUs: number;
  /** The same for the first response to each key, from a service that has just started. */
  readonly firstUs: number;
  readonly longestPauseMs: number;
}

/** Measures the cost of a kind of load in a new service after a warm-up. */
export async function costOfLoad({ database, request, keys }: LoadKind): Promise<LoadCosts> {
  const children: ChildProcess[] = [];
  try {
    const generator = fork(join(import.meta.dirname, 'load-generator.ts'), { stdio: 'inherit' });
    children.push(generator);
    const env = database.url === null ? {} : { DATABASE_URL: database.url };
    const { child, port } = await startService(database.dataDir, children, env);
    const load = { port, request: requestText(request, '{key}'), keys, connections, ...longRound };
    const answerUs = async (some: Load): Promise<number> => {
      const before = await reportOf(child);
      const { answers } = await sendLoad(generator, some);
      return (1e6 * ((await reportOf(child)).cpuSeconds - before.cpuSeconds)) / answers;
    };
    const firstUs = await answerUs({ ...load, durationMs: 0, minAnswers: keys.length });
    await sendLoad(generator, load);
    child.send('watch');
    return { firstUs, answerUs: await answerUs(load), longestPauseMs: (await reportOf(child)).longestPauseMs };
  } finally {
    await Promise.all(children.map(stop));
  }
}

/** A service on a prepared database, and how to load it with warm lookups. */
export interface LookupLoad {
  readonly port: number;
  /** Looks up one domain with a key, over and over, for a time. */
  lookUp(key: string, durationMs: number): Promise<LoadResult>;
}

/** Runs a service whose lookups are warm until `work` is done. */
export async function withLookups<T>(
  { dataDir }: DatabaseOptions,
  key: string,
  work: (load: LookupLoad) => Promise<T>,
): Promise<T> {
  const children: ChildProcess[] = [];
  try {
    const { port } = await startService(dataDir, children);
    const generator = fork(join(import.meta.dirname, 'load-generator.ts'), { stdio: 'inherit' });
    children.push(generator);
    const load = (by: string) => ({
      port,
      request: requestText({ method: 'GET', path: '/domain/example.com' }, by),
      connections,
    });
    await sendLoad(generator, { ...load(key), ...warmUp });
    return await work({
      port,
      lookUp: (by, durationMs) => sendLoad(generator, { ...load(by), durationMs, minAnswers: 0 }),
    });
  } finally {
    await Promise.all(children.map(stop));
  }
}

/** Runs the service under load until `work` is done, after a warm-up. */
export async function underLoad<T>(
  prepare: PrepareRequest,
  work: (service: { port: number; key: string }) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'signalpost-bench-'));
  const children: ChildProcess[] = [];
  try {
    const service = await startService(directory, children);
    const asked = await prepare({ url: `http://127.0.0.1:${service.port}`, key: service.key });
    const generator = fork(join(import.meta.dirname, 'load-generator.ts'), { stdio: 'inherit' });
    children.push(generator);
    const load = { port: service.port, request: requestText(asked, service.key), connections };
    await sendLoad(generator, { ...load, ...warmUp });
    let isOver = false;
    const loading = (async () => {
      while (!isOver) await sendLoad(generator, { ...load, ...round });
    })();
    const result = await work(service).finally(() => {
      isOver = true;
    });
    await loading;
    return result;
  } finally {
    await Promise.all(children.map(stop));
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The service as operators run it; the plan `self-hosted` has more credits and requests per second than any load here needs. */
function startService(
  directory: string,
  children: ChildProcess[],
  settings: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> {
  shareSnapshot(directory);
  const env = {
    DATA_DIR: directory,
    OFFLINE: 'true',
    PORT: '0',
    LOG_LEVEL: 'error',
    ...settings,
  };
  return startServer(['bin/signalpost.js', 'serve', '--json'], env, children);
}

async function startServer(
  script: readonly string[],
  env: NodeJS.ProcessEnv,
  children: ChildProcess[],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--import', './bench/report-cpu.ts', ...script], {
    cwd: join(import.meta.dirname, '..'),
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  children.push(child);
  const { stdout } = child;
  if (stdout === null) throw new Error('a server has no standard output');
  let said = '';
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  while (!said.includes('\n')) {
    await Promise.race([once(stdout, 'data'), once(child, 'exit').then(() => Promise.reject(new Error(said)))]);
  }
  const started: Started = JSON.parse(said.slice(0, said.indexOf('\n')));
  return { child, port: Number(new URL(started.address).port), key: started.keys?.[0]?.key ?? '' };
}

function requestText({ method, path, body = '' }: BenchRequest, key: string): string {
  const content =
    body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(fillIn(body, 0))}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n${content}\r\n${body}`;
}

async function bodyOf({ port, key }: ServerProcess, { method, path, body }: BenchRequest): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${fillIn(path, 0)}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: fillIn(body, 0) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${await answer.text()}`);
  return answer.text();
}

async function perCpuSecond(server: ServerProcess, generator: ChildProcess, load: Load): Promise<number> {
  const before = await reportOf(server.child);
  const { answers } = await sendLoad(generator, load);
  return answers / ((await reportOf(server.child)).cpuSeconds - before.cpuSeconds);
}

async function reportOf(child: ChildProcess): Promise<CpuReport> {
  child.send('cpu');
  const [report] = (await once(child, 'message')) as [CpuReport];
  return report;
}

async function sendLoad(generator: ChildProcess, load: Load): Promise<LoadResult> {
  generator.send(load);
  const [result] = (await once(generator, 'message')) as [LoadResult];
  if (result.failures > 0) throw new Error(`${result.failures} of ${result.answers} responses were errors`);
  return result;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
