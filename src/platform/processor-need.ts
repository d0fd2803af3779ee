/** Running totals of this process, in milliseconds. */
export interface ProcessorReadings {
  nowMs(): number;
  /** Processor time of the thread that serves requests. */
  cpuMs(): number;
  /** How long its event loop had nothing to do. */
  idleMs(): number;
}

/** Estimates which part of the processor high-priority requests need. */
export interface ProcessorNeed {
  countHighPriority(): void;
  countLowPriority(): void;
  /** Low-priority work used so much processor time. */
  charge(ms: number): void;
  /** The part, from 0 to 1, that high-priority requests used in about the last second. */
  highPriorityShare(): number;
}

interface Sample {
  readonly atMs: number;
  readonly cpuMs: number;
  readonly idleMs: number;
  readonly lowMs: number;
  readonly highRequests: number;
  readonly lowRequests: number;
}

const windowMs = 1_000;
const sampleEveryMs = 100;
/** So many high-priority requests in the window, in a process without idle time, count as a need of half of it. */
const manyRequests = 100;
const crowdedShare = 0.5;

/**
 * Processor time outside low-priority work belongs to requests of both priorities, by their number: connections, parsing and responses
 * cost about the same for each. Timing every lookup would cost more than the estimate gains.
 */
export function createProcessorNeed({ nowMs, cpuMs, idleMs }: ProcessorReadings): ProcessorNeed {
  let samples: Sample[] = [];
  let lastShare = 0;
  let lowMs = 0;
  let highRequests = 0;
  let lowRequests = 0;
  const shareSince = (start: Sample): number => {
    const low = lowMs - start.lowMs;
    const rest = Math.max(0, cpuMs() - start.cpuMs - low);
    const high = highRequests - start.highRequests;
    const used = high === 0 ? 0 : (rest * high) / (high + lowRequests - start.lowRequests);
    const idle = idleMs() - start.idleMs;
    const share = used / Math.max(rest + low + idle, 1);
    // A loop without idle time hides how much more they would use.
    const isCrowded = high >= manyRequests && idle < (rest + low + idle) / 10;
    return isCrowded ? Math.max(share, crowdedShare) : share;
  };
  return {
    countHighPriority() {
      highRequests += 1;
    },
    countLowPriority() {
      lowRequests += 1;
    },
    charge(ms) {
      lowMs += ms;
    },
    highPriorityShare() {
      const atMs = nowMs();
      const newest = samples.at(-1);
      if (newest !== undefined && atMs - newest.atMs < sampleEveryMs) return lastShare;
      // Samples are taken while low-priority work runs; older ones say nothing about now.
      samples = samples.filter((sample) => atMs - sample.atMs <= windowMs);
      const [oldest] = samples;
      if (oldest !== undefined) lastShare = shareSince(oldest);
      samples.push({ atMs, cpuMs: cpuMs(), idleMs: idleMs(), lowMs, highRequests, lowRequests });
      return lastShare;
    },
  };
}
