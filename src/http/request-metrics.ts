import { Counter, Histogram, type Registry } from 'prom-client';

/** Upper bounds of the duration histogram in seconds: from a warm lookup to the longest `wait`. */
const durationBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts answers by operation and status, and how long they took. */
export interface RequestMetrics {
  record(operation: string, status: number, startedAtMs: number): void;
}

/** Request metrics on a registry. Labelled children are kept, so that a request costs two additions. */
export function createRequestMetrics(registry: Registry): RequestMetrics {
  const pending = new Map<string, { operation: string; status: number; count: number }>();
  new Counter({
    name: 'signalpost_requests_total',
    help: 'Answers by operation and status',
    labelNames: ['operation', 'status'] as const,
    registers: [registry],
    collect() {
      for (const { operation, status, count } of pending.values()) this.inc({ operation, status }, count);
      pending.clear();
    },
  });
  const durations = new Histogram({
    name: 'signalpost_request_duration_seconds',
    help: 'Time from the request line to the answer, by operation',
    labelNames: ['operation'] as const,
    buckets: durationBuckets,
    registers: [registry],
  });
  const timers = new Map<string, { observe(value: number): void }>();
  return {
    record(operation, status, startedAtMs) {
      const name = `${operation} ${status}`;
      const entry = pending.get(name);
      if (entry === undefined) pending.set(name, { operation, status, count: 1 });
      else entry.count += 1;
      let timer = timers.get(operation);
      if (timer === undefined) {
        timer = durations.labels({ operation });
        timers.set(operation, timer);
      }
      timer.observe((performance.now() - startedAtMs) / 1000);
    },
  };
}
