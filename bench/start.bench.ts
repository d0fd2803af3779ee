import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { paced } from './pace.ts';
import type { Row } from './row.ts';
import { median } from './time-per-call.ts';

export const name = 'start';

const rounds = paced(7, 1);
/** After it is ready, so that what starting left behind is collected. */
const settleMs = 2_000;
/** Loaded before the server: tells what it uses, on request. Plain JavaScript in place, so that loading it costs nothing. */
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
  readonly settledMb: number;
}

/** Start to the first answer, and memory once started: the service with its snapshot built before, beside a bare Fastify. */
export async function run(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalpost-bench-'));
  const env = { DATA_DIR: dataDir, OFFLINE: 'true', PORT: '0', LOG_LEVEL: 'error' };
  const startService = () => startOnce(['bin/signalpost.js', 'serve', '--json'], env, '/readyz');
  const startBare = () => startOnce(['bench/bare-fastify.ts'], {}, '/healthz');
  try {
    // The first start builds the snapshot and the database.
    await startService();
    const service: Start[] = [];
    const bare: Start[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await startBare());
      service.push(await startService());
    }
    return [
      ...rowsOf('start to ready', 'ms', '≤ 1.20', bare, service, (start) => start.readyMs),
      ...rowsOf('processor time to ready', 'ms', undefined, bare, service, (start) => start.cpuMs),
      ...rowsOf('memory after start', 'MB', '≤ bare + 40 MB', bare, service, (start) => start.settledMb),
    ];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function rowsOf(
  what: string,
  unit: string,
  goal: string | undefined,
  bare: readonly Start[],
  service: readonly Start[],
  read: (start: Start) => number,
): Row[] {
  const baseline = median(bare.map(read));
  const value = median(service.map(read));
  return [
    { what: `${what}: bare Fastify`, value: baseline, unit, ratio: 1 },
    { what: `${what}: Signalpost`, value, unit, ratio: value / baseline, ...(goal === undefined ? {} : { goal }) },
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
    await sleep(settleMs);
    const { rss } = await usageOf(child);
    return { readyMs, cpuMs: (cpu.user + cpu.system) / 1_000, settledMb: rss / 2 ** 20 };
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  let said = '';
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`it ended before it listened: ${said}`)));
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
