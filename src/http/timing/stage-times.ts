/**
 * The stages of a request, in order. `work` covers `facts` and `decide` where an endpoint does not separate the two.
 * Operators see the names: they are labels of `signalpost_stage_seconds` and metrics of `Server-Timing`.
 */
export const stageNames = ['queue', 'admit', 'body', 'meter', 'facts', 'decide', 'work', 'answer'] as const;
export type StageName = (typeof stageNames)[number];

/** A stage by its place in `stageNames`. */
export const stage = Object.fromEntries(stageNames.map((name, index) => [name, index])) as Readonly<
  Record<StageName, number>
>;

/** A stage and its duration. */
export interface TimedStage {
  readonly name: StageName;
  readonly ms: number;
}

/** The stages of a request, as its handler may use them. */
export interface CallStages {
  /** Continues in another stage without reading the clock, unless the request asked for all timings. */
  enter(next: number): void;
  /** Continues in another stage after waiting in the current one. */
  endWait(next: number): void;
  /** Sends the timings to the client in `Server-Timing`. */
  report(): void;
}

let latestMs = 0;

/** Reads the monotonic clock. A request that starts after another one in the same batch starts with the latest reading. */
export function readClock(): number {
  latestMs = performance.now();
  return latestMs;
}

/**
 * Measures the stages of one request on the monotonic clock. Reading the clock costs up to 0.3 µs on virtual machines, and
 * a warm request takes 50 µs. So a stage that ends without waiting is not timed: its microseconds count in the next stage
 * that is. The durations always add up to the total.
 */
export class StageTimes implements CallStages {
  readonly readAtMs: number;
  #current: number = stage.admit;
  #lastAtMs: number;
  /** Stages and their milliseconds in turns, in one list of numbers with room for most requests: it is made for each of them. */
  readonly #timed: number[];
  #length = 2;
  #timesAll = false;

  /** `readAtMs` is when the head of the request was parsed, before it waited in any queue. */
  constructor(readAtMs: number, startedAtMs = Math.max(readAtMs, latestMs)) {
    this.readAtMs = readAtMs;
    this.#lastAtMs = startedAtMs;
    this.#timed = [stage.queue, startedAtMs - readAtMs, 0, 0, 0, 0, 0, 0];
  }

  /** Whether the client is sent the timings. */
  get isReported(): boolean {
    return this.#timesAll;
  }

  get totalMs(): number {
    return this.#lastAtMs - this.readAtMs;
  }

  enter(next: number): void {
    if (this.#timesAll) this.endWait(next);
    else this.#current = next;
  }

  endWait(next: number, nowMs = readClock()): void {
    this.#timed[this.#length] = this.#current;
    this.#timed[this.#length + 1] = nowMs - this.#lastAtMs;
    this.#length += 2;
    this.#lastAtMs = nowMs;
    this.#current = next;
  }

  report(): void {
    this.#timesAll = true;
  }

  /** Calls back with each timed stage; one that was entered twice comes twice. */
  eachTimed(use: (stage: number, ms: number) => void): void {
    const timed = this.#timed;
    for (let index = 0; index < this.#length; index += 2) use(timed[index] as number, timed[index + 1] as number);
  }

  /** The timed stages by name, in order, each once. */
  all(): TimedStage[] {
    const byStage = new Map<number, number>();
    this.eachTimed((each, ms) => {
      byStage.set(each, (byStage.get(each) ?? 0) + ms);
    });
    return Array.from(byStage, ([each, ms]) => ({ name: stageNames[each] as StageName, ms }));
  }
}

/** Continues with a value in the next stage, after waiting when the value is a promise. */
export function nextStage<T, R>(
  stages: CallStages,
  next: number,
  value: T | Promise<T>,
  then: (value: T) => R,
): R | Promise<Awaited<R>> {
  if (value instanceof Promise) {
    return value.then((resolved): R => {
      stages.endWait(next);
      return then(resolved);
    }) as Promise<Awaited<R>>;
  }
  stages.enter(next);
  return then(value);
}

/** The value of a `Server-Timing` header (W3C Server Timing, section 3): milliseconds of each timed stage and the total. */
export function serverTiming(stages: StageTimes): string {
  const parts = [...stages.all(), { name: 'total', ms: stages.totalMs }];
  return parts.map(({ name, ms }) => `${name};dur=${roundMs(ms)}`).join(', ');
}

/** Microseconds are as exact as the clock is steady. */
export const roundMs = (ms: number): number => Math.round(ms * 1_000) / 1_000;
