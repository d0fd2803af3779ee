import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDirectory } from '../test/engines.ts';
import { installPackage } from '../test/package/installed-package.ts';
import { isQuick, paced } from './pace.ts';
import type { Row } from './row.ts';
import { median } from './time-per-call.ts';

export const name = 'start';

const rounds = paced(7, 1);
/** The wait after readiness, in which the garbage of the start is collected. */
const idleMs = paced(2_000, 300);
/** Preloaded into the server: reports its resource usage on request. Inline plain JavaScript, so that loading it costs nothing. */
const reporter = `data:text/javascript,${encodeURIComponent(
  'process.on("message",()=>process.send({rss:process.memoryUsage.rss(),cpu:process.cpuUsage()}));process.channel.unref()',
)}`;

interface Usage {
  readonly rss: number;
  readonly cpu: NodeJS.CpuUsage;
}

interface Start {
  readonly readyMs: number;
  readonly cpuMs: number;
  readonly retainedMb: number;
}

interface Contestant {
  readonly who: string;
  readonly start: () => Promise<Start>;
  /** The target for its time to readiness, relative to the first contestant. */
  readonly goal?: string;
}

/** Time to the first response, and memory after the start: the service with a prepared snapshot, compared with a bare Fastify. */
export async function run(): Promise<Row[]> {
  // Packing and installing takes half the time of a quick run, and a checkout runs the same bundle.
  using installed = isQuick ? null : installPackage();
  const env = { DATA_DIR: temporaryDirectory(), OFFLINE: 'true', PORT: '0', LOG_LEVEL: 'error' };
  const serve = (home: string) => () => startOnce([join(home, 'bin/signalpost.js'), 'serve', '--json'], env, '/readyz');
  const contestants: readonly Contestant[] = [
    { who: 'bare Fastify', start: () => startOnce(['bench/bare-fastify.ts'], {}, '/healthz') },
    { who: 'Signalpost, checkout', start: serve('.'), goal: '≤ 2' },
    ...(installed === null
      ? []
      : [{ who: 'Signalpost, packed', start: serve(installed.home), goal: '≤ 1.5' } satisfies Contestant]),
  ];
  // Builds the lists and the networks before the measurement; the first start of each contestant compiles its code.
  execFileSync(process.execPath, ['bin/signalpost.js', 'check', '--ip', '192.0.2.1', '--offline'], {
    env: { ...process.env, ...env },
  });
  for (const { start } of contestants) await start();
  const starts: Start[][] = contestants.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { start }] of contestants.entries()) starts[index]?.push(await start());
  }
  const rows = (what: string, unit: string, read: (start: Start) => number, goalOf: (one: Contestant) => object) => {
    const values = starts.map((some) => median(some.map(read)));
    const [baseline = Number.NaN] = values;
    return contestants.map((one, index): Row => {
      const value = values[index] ?? Number.NaN;
      return { what: `${what}: ${one.who}`, value, unit, ratio: value / baseline, ...goalOf(one) };
    });
  };
  const ofStart = ({ goal }: Contestant) => (goal === undefined ? {} : { goal });
  const ofMemory = ({ goal }: Contestant) => (goal === undefined ? {} : { goal: '≤ bare + 40 MB' });
  return [
    ...rows('start to ready', 'ms', (start) => start.readyMs, ofStart),
    ...rows('processor time to ready', 'ms', (start) => start.cpuMs, ofStart),
    ...rows('memory after start', 'MB', (start) => start.retainedMb, ofMemory),
  ];
}

async function startOnce(script: readonly string[], env: NodeJS.ProcessEnv, readyPath: string): Promise<Start> {
  const startMs = performance.now();
  const child = spawn(process.execPath, ['--import', reporter, ...script], {
    cwd: join(import.meta.dirname, '..'),
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  try {
    const { address }: { address: string } = JSON.parse(await firstLine(child));
    const answer = await fetch(`${address}${readyPath}`);
    if (!answer.ok) throw new Error(`${readyPath} answers ${answer.status}`);
    await answer.arrayBuffer();
    const readyMs = performance.now() - startMs;
    const { cpu } = await usageOf(child);
    await sleep(idleMs);
    const { rss } = await usageOf(child);
    return { readyMs, cpuMs: (cpu.user + cpu.system) / 1_000, retainedMb: rss / 2 ** 20 };
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  let said = '';
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`it exited before it listened: ${said}`)));
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  while (child.stdout !== null && !said.includes('\n')) await Promise.race([once(child.stdout, 'data'), ended]);
  ended.catch(() => undefined);
  return said.slice(0, said.indexOf('\n'));
}

async function usageOf(child: ChildProcess): Promise<Usage> {
  child.send('usage');
  const [usage] = (await once(child, 'message')) as [Usage];
  return usage;
}
