import { Counter, Histogram, type Registry } from 'prom-client';

/** Upper bounds of the duration histogram in seconds: from a warm lookup to the longest `wait`. */
const durationBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts an answer with its status, and how long it took since `startedAtMs` of the monotonic clock. */
export type RecordAnswer = (status: number, startedAtMs: number) => void;

/** Counts answers by operation and status, and how long they took. */
export interface RequestMetrics {
  operation(name: string): RecordAnswer;
}

/** What was counted since the last scrape; a request costs a few additions here and nothing in the metrics library. */
interface Tally {
  readonly byStatus: Map<number, number>;
  readonly durations: number[];
}

/** Durations kept until a scrape; beyond that the histogram takes them over. */
const maxKept = 1_000;

/** Request metrics on a registry. */
export function createRequestMetrics(registry: Registry): RequestMetrics {
  const tallies = new Map<string, Tally>();
  new Counter({
    name: 'signalpost_requests_total',
    help: 'Answers by operation and status',
    labelNames: ['operation', 'status'] as const,
    registers: [registry],
    collect() {
      for (const [operation, { byStatus }] of tallies) {
        for (const [status, count] of byStatus) this.inc({ operation, status }, count);
        byStatus.clear();
      }
    },
  });
  const histogram = new Histogram({
    name: 'signalpost_request_duration_seconds',
    help: 'Time from the request line to the answer, by operation',
    labelNames: ['operation'] as const,
    buckets: durationBuckets,
    registers: [registry],
    collect() {
      for (const [operation, { durations }] of tallies) takeOver(operation, durations);
    },
  });
  const takeOver = (operation: string, durations: number[]): void => {
    const timer = histogram.labels({ operation });
    for (const ms of durations) timer.observe(ms / 1000);
    durations.length = 0;
  };
  return {
    operation(name) {
      const tally: Tally = tallies.get(name) ?? { byStatus: new Map(), durations: [] };
      tallies.set(name, tally);
      const { byStatus, durations } = tally;
      return (status, startedAtMs) => {
        byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
        durations.push(performance.now() - startedAtMs);
        if (durations.length >= maxKept) takeOver(name, durations);
      };
    },
  };
}
