import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shareSnapshot } from '../test/shared-snapshot.ts';
import { fillIn } from './fill-in.ts';
import type { Load, LoadResult } from './load-generator.ts';
import type { UsageReport } from './report-usage.ts';

/** A request to repeat; path and body may contain the placeholders of `fillIn`. */
export interface BenchRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** Creates the objects that the request needs, such as a gate, and then the request. */
export type PrepareRequest = (service: { url: string; key: string }) => Promise<BenchRequest>;

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly port: number;
  readonly key: string;
}

/** The first line of a server's output. */
interface Started {
  readonly address: string;
  readonly keys?: readonly { environment: string; key: string }[];
}

const ownCheckout = join(import.meta.dirname, '..');
/** Of every server, so that early releases, which did not bound it, do not differ by the size of the young generation. */
const youngFlag = '--max-semi-space-size=16';

/** The flags that a checkout's `bin/signalpost.js` sets; it does so by replacing its process, which would close the channel to this one. */
function memoryFlagsOf(checkout: string): readonly string[] {
  const text = readFileSync(join(checkout, 'bin', 'signalpost.js'), 'utf8');
  const [, flags = ''] = /serverFlags = ([^;]*);/.exec(text) ?? [];
  return [youngFlag, ...[...flags.matchAll(/'(--[^']+)'/g)].map(([, flag = '']) => flag)];
}

/** The data directory of a service, its settings, and the checkout that it runs from. */
export interface ServiceOptions {
  readonly directory: string;
  readonly settings?: NodeJS.ProcessEnv;
  readonly checkout?: string;
}

/** The service as operators run it; the plan `self-hosted` has more credits and requests per second than any load here needs. */
export function startService(options: ServiceOptions, children: ChildProcess[]): Promise<ServerProcess> {
  const { directory, settings = {}, checkout = ownCheckout } = options;
  // Another checkout compiles its own lists at the start.
  if (checkout === ownCheckout) shareSnapshot(directory);
  const env = { DATA_DIR: directory, OFFLINE: 'true', PORT: '0', LOG_LEVEL: 'error', ...settings };
  return startServer(['bin/signalpost.js', 'serve', '--json'], env, children, checkout);
}

/** The bare node:http that answers with this body. */
export function startBareServer(body: string, children: ChildProcess[]): Promise<ServerProcess> {
  return startServer(['bench/bare-server.ts'], { BENCH_BODY: body }, children);
}

async function startServer(
  script: readonly string[],
  env: NodeJS.ProcessEnv,
  children: ChildProcess[],
  cwd = ownCheckout,
): Promise<ServerProcess> {
  const report = join(import.meta.dirname, 'report-usage.ts');
  const child = spawn(process.execPath, [...memoryFlagsOf(cwd), '--import', report, ...script], {
    cwd,
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

/** The process that sends loads. */
export function startGenerator(children: ChildProcess[]): ChildProcess {
  const generator = fork(join(import.meta.dirname, 'load-generator.ts'), { stdio: 'inherit' });
  children.push(generator);
  return generator;
}

/** Sends a load; throws when a response is an error, unless errors are measured. */
export async function sendLoad(generator: ChildProcess, load: Load, { mayFail = false } = {}): Promise<LoadResult> {
  generator.send(load);
  const [result] = (await once(generator, 'message')) as [LoadResult];
  if (result.failures > 0 && !mayFail) throw new Error(`${result.failures} of ${result.answers} responses were errors`);
  return result;
}

export async function reportOf(child: ChildProcess): Promise<UsageReport> {
  child.send('report');
  const [report] = (await once(child, 'message')) as [UsageReport];
  return report;
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** The request itself, or the one that is prepared in a service. */
export async function prepared(
  request: BenchRequest | PrepareRequest,
  { port, key }: ServerProcess,
): Promise<BenchRequest> {
  return typeof request === 'function' ? request({ url: `http://127.0.0.1:${port}`, key }) : request;
}

export function requestText({ method, path, body = '' }: BenchRequest, key: string): string {
  const content =
    body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(fillIn(body, 0))}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n${content}\r\n${body}`;
}

/** The body of one response. */
export async function bodyOf({ port, key }: ServerProcess, { method, path, body }: BenchRequest): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${fillIn(path, 0)}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: fillIn(body, 0) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${await answer.text()}`);
  return answer.text();
}
