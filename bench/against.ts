import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { decisionOf } from './decision.bench.ts';
import type { Load } from './load-generator.ts';
import { isWithin, type MedianInterval, medianInterval } from './median-interval.ts';
import type { OtherCheckout } from './other-checkout.ts';
import { paced } from './pace.ts';
import { textTable } from './row.ts';
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

/** The requests that are compared. */
const requests: Readonly<Record<string, BenchRequest | PrepareRequest>> = {
  'GET /domain, warm': { method: 'GET', path: '/domain/example.com' },
  'GET /email, warm': { method: 'GET', path: '/email/jane.doe@example.com' },
  'GET /domain, every domain new': { method: 'GET', path: '/domain/new-{n}.com' },
  'decision, one address': decisionOf({ email: 'jane.doe@example.com' }),
  'decision, different addresses': decisionOf({ email: 'user-{n}@seen-{seen}.com', ip: '{ip}' }),
  'decision, different people': decisionOf({ email: '{person}@seen-{seen}.com', ip: '{home}' }),
  'decision, everything new': decisionOf({ email: 'user-{n}@new-{n}.com', ip: '{ip}' }),
};

const connections = 16;
/** Decisions become cheaper until about 60,000 were made. */
const warmUpAnswers = paced(60_000, 3_000);
const roundAnswers = paced(8_000, 1_000);
/** Rounds continue until the ratio is known this well, as a part of it. */
const wantedPart = 0.05;
export const usualMaxRounds = paced(40, 3);
/** An idle service is measured for this long; the longest write-behind delay is over before that. */
const idleMs = paced(5_000, 500);

/** A service or the bare server, with what it used in its rounds. */
interface Contender {
  readonly server: ServerProcess;
  readonly load: Omit<Load, 'durationMs' | 'minAnswers'>;
  /** Processor time per second without requests. */
  idleShare: number;
  readonly cpuUs: number[];
  readonly bytes: number[];
}

/** Compares this checkout with another, request by request, and returns a table. Words besides `decision` select requests by parts of their names. */
export async function compareAgainst(
  other: OtherCheckout,
  given: readonly string[],
  maxRounds: number,
): Promise<string> {
  const words = given.filter((word) => word !== 'decision');
  const head = [
    'request',
    'bare µs',
    `${other.commit} µs`,
    'this µs',
    'ratio',
    '95 %',
    `${other.commit} B`,
    'this B',
    'ratio',
    'rounds',
  ];
  const lines: string[][] = [];
  for (const [what, request] of Object.entries(requests)) {
    if (words.length > 0 && !words.some((word) => what.includes(word))) continue;
    lines.push(await compareRequest(what, request, other, maxRounds));
    console.error(lines.at(-1)?.join('  '));
  }
  return textTable([head, ...lines], (column) => column > 0);
}

async function compareRequest(
  what: string,
  request: BenchRequest | PrepareRequest,
  other: OtherCheckout,
  maxRounds: number,
): Promise<string[]> {
  const directories = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'signalpost-bench-')));
  const children: ChildProcess[] = [];
  try {
    const generator = startGenerator(children);
    const services = [
      await startService({ directory: directories[0] ?? '', checkout: other.folder }, children),
      await startService({ directory: directories[1] ?? '' }, children),
    ];
    const contenders: Contender[] = [];
    for (const server of services) contenders.push(contender(server, await prepared(request, server), server.key));
    const [then, now] = contenders as [Contender, Contender];
    const asked = await prepared(request, now.server);
    const bare = contender(await startBareServer(await bodyOf(now.server, asked), children), asked, now.server.key);
    const ratios = await takeTurns(generator, [bare, then, now], maxRounds);
    return [
      what,
      ...[bare, then, now].map(({ cpuUs }) => median(cpuUs).toFixed(1)),
      ...intervalCells(ratios),
      ...[then, now].map(({ bytes }) => Math.round(median(bytes)).toLocaleString('en')),
      median(now.bytes.map((bytes, round) => bytes / (then.bytes[round] ?? bytes))).toFixed(2),
      String(now.cpuUs.length),
    ];
  } finally {
    await Promise.all(children.map(stop));
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  }
}

function contender(server: ServerProcess, request: BenchRequest, key: string): Contender {
  const load = { port: server.port, request: requestText(request, key), connections };
  return { server, load, idleShare: 0, cpuUs: [], bytes: [] };
}

const intervalCells = ({ median: ratio, low, high }: MedianInterval): string[] => [
  ratio.toFixed(2),
  Number.isFinite(low) ? `${low.toFixed(2)} to ${high.toFixed(2)}` : 'too few rounds',
];

/** The ratio of the last to the last but one, from rounds in turns. */
async function takeTurns(
  generator: ChildProcess,
  contenders: readonly Contender[],
  maxRounds: number,
): Promise<MedianInterval> {
  for (const { load } of contenders) await sendLoad(generator, { ...load, durationMs: 0, minAnswers: warmUpAnswers });
  // The writes of the warm-up end first.
  await sleep(idleMs);
  await measureIdle(contenders);
  for (;;) {
    // In both orders alike: a machine that becomes slower must not favour one of them.
    const isForward = (contenders[0]?.cpuUs.length ?? 0) % 2 === 0;
    await playRound(generator, isForward ? contenders : contenders.toReversed());
    const [then, now] = contenders.slice(-2).map(({ cpuUs }) => cpuUs) as [number[], number[]];
    const ratios = medianInterval(now.map((costUs, round) => costUs / (then[round] ?? costUs)));
    if (isWithin(ratios, wantedPart) || now.length === maxRounds) return ratios;
  }
}

async function measureIdle(contenders: readonly Contender[]): Promise<void> {
  const before = await Promise.all(contenders.map(({ server }) => reportOf(server.child)));
  await sleep(idleMs);
  for (const [index, one] of contenders.entries()) {
    const { cpuSeconds } = await reportOf(one.server.child);
    one.idleShare = (cpuSeconds - (before[index]?.cpuSeconds ?? 0)) / (idleMs / 1_000);
  }
}

/**
 * Loads one after the other. What a request leaves to be written counts, too, and much of it is written while the next contender is
 * loaded: the costs are those of the whole round, without the share that an idle service has anyway.
 */
async function playRound(generator: ChildProcess, contenders: readonly Contender[]): Promise<void> {
  const startedMs = performance.now();
  const before = await Promise.all(contenders.map(({ server }) => reportOf(server.child)));
  const loadedMs: number[] = [];
  for (const { load } of contenders) {
    const beginMs = performance.now();
    await sendLoad(generator, { ...load, durationMs: 0, minAnswers: roundAnswers });
    loadedMs.push(performance.now() - beginMs);
  }
  await sleep(settleMs);
  const tookMs = performance.now() - startedMs;
  for (const [index, { server, idleShare, cpuUs, bytes }] of contenders.entries()) {
    const report = await reportOf(server.child);
    const idleSeconds = (tookMs - (loadedMs[index] ?? 0)) / 1_000;
    const cpuSeconds = report.cpuSeconds - (before[index]?.cpuSeconds ?? 0) - idleShare * idleSeconds;
    cpuUs.push((1e6 * cpuSeconds) / roundAnswers);
    bytes.push((report.allocatedBytes - (before[index]?.allocatedBytes ?? 0)) / roundAnswers);
  }
}

/** The last contender's writes end, too: seen domains wait two seconds at most. */
const settleMs = paced(2_200, 100);
