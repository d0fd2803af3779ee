import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseOptions } from '../src/db/db.ts';
import type { Load, LoadResult } from './load-generator.ts';
import { paced } from './pace.ts';
import type { Row } from './row.ts';
import {
  type BenchRequest,
  bodyOf,
  type PrepareRequest,
  prepared,
  reportOf,
  requestText,
  type ServerProcess,
  sendLoad,
  startBareServer,
  startGenerator,
  startService,
  stop,
} from './server-process.ts';
import { median } from './time-per-call.ts';

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
    const service = await startService({ directory, ...(settings && { settings }) }, children);
    const asked = await prepared(request, service);
    const bare = await startBareServer(await bodyOf(service, asked), children);
    const generator = startGenerator(children);
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
    const service = await startService({ directory, settings: { ACCOUNT_CPU_PERCENT: '100' } }, children);
    const requests = Object.entries(await prepare({ url: `http://127.0.0.1:${service.port}`, key: service.key }));
    const generator = startGenerator(children);
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
    const generator = startGenerator(children);
    const env = database.url === null ? {} : { DATABASE_URL: database.url };
    const { child, port } = await startService({ directory: database.dataDir, settings: env }, children);
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
  /** How long the event loop was blocked at most, in processor time, while work ran. */
  longestPauseMs(work: () => Promise<unknown>): Promise<number>;
}

/** Runs a service whose lookups are warm until `work` is done. */
export async function withLookups<T>(
  { dataDir }: DatabaseOptions,
  key: string,
  work: (load: LookupLoad) => Promise<T>,
): Promise<T> {
  const children: ChildProcess[] = [];
  try {
    const { child, port } = await startService({ directory: dataDir }, children);
    const generator = startGenerator(children);
    const load = (by: string) => ({
      port,
      request: requestText({ method: 'GET', path: '/domain/example.com' }, by),
      connections,
    });
    await sendLoad(generator, { ...load(key), ...warmUp });
    return await work({
      port,
      lookUp: (by, durationMs) => sendLoad(generator, { ...load(by), durationMs, minAnswers: 0 }),
      async longestPauseMs(measured) {
        child.send('watch');
        await measured();
        return (await reportOf(child)).longestPauseMs;
      },
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
    const service = await startService({ directory }, children);
    const asked = await prepared(prepare, service);
    const generator = startGenerator(children);
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

async function perCpuSecond(server: ServerProcess, generator: ChildProcess, load: Load): Promise<number> {
  const before = await reportOf(server.child);
  const { answers } = await sendLoad(generator, load);
  return answers / ((await reportOf(server.child)).cpuSeconds - before.cpuSeconds);
}
