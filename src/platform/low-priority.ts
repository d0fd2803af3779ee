import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises';
import { createProcessorNeed } from './processor-need.ts';
import { createTurns } from './turns.ts';

/** The account whose work runs. */
export interface Payer {
  readonly accountId: string;
  /** Its work has used so much processor time, in milliseconds. */
  charge?(ms: number): void;
  /** Its work waited this long for a turn. */
  waited?(ms: number): void;
}

interface Work {
  readonly payer: Payer;
  /** The thread's processor time when it started to hold the event loop; null while it waits. */
  burstStartedCpuMs: number | null;
  isOver: boolean;
}

/** Low-priority work keeps at least this part of the processor. */
const minShare = 0.1;

const current = new AsyncLocalStorage<Work>();
const nowMs = (): number => performance.now();
const need = createProcessorNeed({ nowMs, cpuMs: threadCpuMs, idleMs: () => performance.eventLoopUtilization().idle });
const turns = createTurns({ nowMs, pausePerMs, sleep, nextIteration });

/** Processor time of this thread: unlike elapsed time, it does not grow while other programs use the processor. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * High-priority requests get twice the processor time that they used in the last second, so that clients that wait for each response
 * can send faster; low-priority work of all accounts gets the rest.
 */
function pausePerMs(): number {
  const share = Math.max(minShare, 1 - 2 * need.highPriorityShare());
  return (1 - share) / share;
}

/** A request of high priority has started: low-priority work leaves it room. */
export function countHighPriority(): void {
  need.countHighPriority();
}

/** Runs work that yields to requests of high priority and to other accounts, and charges the processor time that it uses. */
export async function runLowPriority<T>(payer: Payer, work: () => T | Promise<T>): Promise<T> {
  const state: Work = { payer, burstStartedCpuMs: null, isOver: false };
  need.countLowPriority();
  try {
    return await current.run(state, async () => {
      await nextTurn();
      return await work();
    });
  } finally {
    chargeBurst(state);
    state.isOver = true;
  }
}

/** When the low-priority work that calls this may continue; null for other work. */
export function nextTurn(): Promise<void> | null {
  const work = workInProgress();
  return work === null ? null : waitForTurn(work.payer);
}

async function waitForTurn({ accountId, waited }: Payer): Promise<void> {
  const startedMs = nowMs();
  await turns.wait(accountId);
  waited?.(nowMs() - startedMs);
  resumeLowPriority();
}

/** Low-priority work continues after it waited for something: its time counts from here until it waits again. */
export function resumeLowPriority(): void {
  const work = workInProgress();
  if (work === null || work.burstStartedCpuMs !== null) return;
  work.burstStartedCpuMs = threadCpuMs();
  // Ticks run when every promise that can continue has done so: then the work waits, or is over.
  queueMicrotask(() => process.nextTick(endBurst, work));
}

function endBurst(work: Work): void {
  chargeBurst(work);
  work.burstStartedCpuMs = null;
}

/** Charges the processor time that the work has used in its current burst. */
function chargeBurst(work: Work): void {
  if (work.burstStartedCpuMs === null) return;
  const cpuMs = threadCpuMs();
  const usedMs = cpuMs - work.burstStartedCpuMs;
  work.burstStartedCpuMs = cpuMs;
  need.charge(usedMs);
  turns.charge(work.payer.accountId, usedMs);
  work.payer.charge?.(usedMs);
}

/** Timers and buffers that the work has started keep its context; they are not charged once it is over. */
function workInProgress(): Work | null {
  const work = current.getStore();
  return work === undefined || work.isOver ? null : work;
}
