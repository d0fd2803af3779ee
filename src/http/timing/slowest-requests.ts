import { roundMs, type StageName, type StageTimes } from './stage-times.ts';

/** A request that took long, as `/diagnostics` shows it. It names no address, key or account. */
export interface SlowRequest {
  readonly operation: string;
  readonly request_id: string;
  readonly status: number;
  readonly at: string;
  readonly ms: number;
  /** Milliseconds by stage. */
  readonly stages: Readonly<Partial<Record<StageName, number>>>;
}

/** The slowest requests of the last minutes. */
export interface SlowestRequests {
  offer(operation: string, requestId: string, status: number, stages: StageTimes): void;
  /** Slowest first. */
  all(): readonly SlowRequest[];
}

/** Keeps `max` requests of the current period and `max` of the previous one; `now` is the wall clock. */
export function createSlowestRequests(max: number, periodMs: number, now: () => number): SlowestRequests {
  let current: SlowRequest[] = [];
  let previous: SlowRequest[] = [];
  /** A faster request is not kept. */
  let floorMs = 0;
  /** On the monotonic clock of the stages. */
  let endsAtMs = 0;
  const rotate = (answeredAtMs: number): void => {
    previous = answeredAtMs < endsAtMs + periodMs ? current : [];
    current = [];
    floorMs = 0;
    endsAtMs = answeredAtMs + periodMs;
  };
  const bySlowness = (one: SlowRequest, other: SlowRequest): number => other.ms - one.ms;
  return {
    offer(operation, requestId, status, stages) {
      const { totalMs } = stages;
      const answeredAtMs = stages.readAtMs + totalMs;
      if (answeredAtMs >= endsAtMs) rotate(answeredAtMs);
      if (totalMs <= floorMs) return;
      current.push({
        operation,
        request_id: requestId,
        status,
        at: new Date(now()).toISOString(),
        ms: roundMs(totalMs),
        stages: Object.fromEntries(stages.all().map(({ name, ms }) => [name, roundMs(ms)])),
      });
      if (current.length <= max) return;
      current.sort(bySlowness).pop();
      floorMs = current.at(-1)?.ms ?? 0;
    },
    all: () => [...current, ...previous].sort(bySlowness).slice(0, max),
  };
}
