import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';

/** Receives the processor time that work has used, in milliseconds. */
export type ChargeCpu = (ms: number) => void;

interface Work {
  readonly charge: ChargeCpu;
  /** Since when it holds the event loop; null while it waits. */
  burstStartedMs: number | null;
  isOver: boolean;
}

/**
 * While requests of high priority arrive, low-priority work of all callers together gets a tenth of the time: each millisecond is
 * followed by a pause of nine. Requests of clients that wait for each response before the next are spread thinly, so that an idle
 * event loop does not mean that there are none.
 */
const pausePerMs = 9;
/** Pauses shorter than this are skipped: little work should not wait. */
const slackMs = 20;

const current = new AsyncLocalStorage<Work>();
let requests = 0;
let requestsAtLastTurn = 0;
let pausedUntilMs = 0;
let lastTurn: Promise<void> = Promise.resolve();

/** A request of high priority has started: low-priority work leaves it room. */
export function countHighPriority(): void {
  requests += 1;
}

/** Runs work that yields to requests of high priority, and charges the processor time that it uses. */
export async function runLowPriority<T>(charge: ChargeCpu, work: () => T | Promise<T>): Promise<T> {
  const state: Work = { charge, burstStartedMs: null, isOver: false };
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
  if (workInProgress() === null) return null;
  lastTurn = lastTurn.then(waitForShare);
  return lastTurn.then(resumeLowPriority);
}

async function waitForShare(): Promise<void> {
  // Requests that arrived during the last burst are read in the first iteration and start in the second.
  await nextTick();
  await nextTick();
  const nowMs = performance.now();
  const pauseMs = pausedUntilMs - slackMs - nowMs;
  if (requests === requestsAtLastTurn) pausedUntilMs = nowMs;
  else if (pauseMs > 0) await sleep(pauseMs);
  requestsAtLastTurn = requests;
}

/** Low-priority work continues after it waited for something: its time counts from here until it waits again. */
export function resumeLowPriority(): void {
  const work = workInProgress();
  if (work === null || work.burstStartedMs !== null) return;
  work.burstStartedMs = performance.now();
  // Ticks run when every promise that can continue has done so: then the work waits, or is over.
  queueMicrotask(() => process.nextTick(endBurst, work));
}

function endBurst(work: Work): void {
  chargeBurst(work);
  work.burstStartedMs = null;
}

/** Charges what the work has used of its burst until now. */
function chargeBurst(work: Work): void {
  if (work.burstStartedMs === null) return;
  const nowMs = performance.now();
  const usedMs = nowMs - work.burstStartedMs;
  work.burstStartedMs = nowMs;
  pausedUntilMs = Math.max(pausedUntilMs, nowMs) + pausePerMs * usedMs;
  work.charge(usedMs);
}

/** Timers and buffers that the work has started keep its context; they are not charged once it is over. */
function workInProgress(): Work | null {
  const work = current.getStore();
  return work === undefined || work.isOver ? null : work;
}
