import type { Logger } from 'pino';
import type { Exchange } from './exchange.ts';

/** Upper bounds of the duration histogram in seconds: from a warm lookup to the longest `wait`. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts an answer with its status, and how long it took since `startedAtMs` of the monotonic clock. */
export type RecordAnswer = (status: number, startedAtMs: number) => void;

/** Counts answers by operation and status, and how long they took. */
export interface RequestMetrics {
  operation(name: string): RecordAnswer;
  /** Counts an answer of 401 or 429 by its reason. */
  refused(reason: string): void;
  /** Everything counted so far in the text format of Prometheus. */
  exposition(): string;
}

interface Tally {
  readonly byStatus: Map<number, number>;
  /** Answers per bucket, not cumulated; the last one holds what took longer than every bound. */
  readonly buckets: Float64Array;
  totalSeconds: number;
  readonly record: RecordAnswer;
}

/** Plain counters: a request costs a few additions, where the metrics library would cost it a look-up by labels. */
export function createRequestMetrics(): RequestMetrics {
  const tallies = new Map<string, Tally>();
  const refusals = new Map<string, number>();
  return {
    refused(reason) {
      refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
    },
    operation(name) {
      const tally = tallies.get(name) ?? createTally();
      tallies.set(name, tally);
      return tally.record;
    },
    exposition() {
      const requests = [...tallies].flatMap(([operation, { byStatus }]) =>
        [...byStatus].map(([status, count]) =>
          line(requestsName, `operation="${operation}",status="${status}"`, count),
        ),
      );
      const durations = [...tallies].flatMap(([operation, tally]) => histogramLines(operation, tally));
      return [
        `# HELP ${requestsName} Answers by operation and status`,
        `# TYPE ${requestsName} counter`,
        ...requests,
        `# HELP ${refusalsName} Answers of 401 and 429 by reason`,
        `# TYPE ${refusalsName} counter`,
        ...[...refusals].map(([reason, count]) => line(refusalsName, `reason="${reason}"`, count)),
        `# HELP ${durationName} Time from the request line to the answer, by operation`,
        `# TYPE ${durationName} histogram`,
        ...durations,
        '',
      ].join('\n');
    },
  };
}

const requestsName = 'signalpost_requests_total';
const refusalsName = 'signalpost_refusals_total';
const durationName = 'signalpost_request_duration_seconds';

function createTally(): Tally {
  const tally: Tally = {
    byStatus: new Map(),
    buckets: new Float64Array(bounds.length + 1),
    totalSeconds: 0,
    record(status, startedAtMs) {
      const seconds = (performance.now() - startedAtMs) / 1000;
      let bucket = 0;
      while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket += 1;
      tally.buckets[bucket] = (tally.buckets[bucket] as number) + 1;
      tally.totalSeconds += seconds;
      tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1);
    },
  };
  return tally;
}

function histogramLines(operation: string, { buckets, totalSeconds }: Tally): string[] {
  let count = 0;
  const label = `operation="${operation}"`;
  const lines = [...bounds, '+Inf'].map((bound, index) => {
    count += buckets[index] ?? 0;
    return line(`${durationName}_bucket`, `${label},le="${bound}"`, count);
  });
  return [...lines, line(`${durationName}_sum`, label, totalSeconds), line(`${durationName}_count`, label, count)];
}

function line(name: string, labels: string, value: number): string {
  return `${name}{${labels}} ${value}`;
}

/** Notes an answer. */
export type AccessLog = (exchange: Exchange, operation: string, status: number) => void;

/** A line for each answer, without its path: addresses are in the paths of lookups. Nothing is written with `null`. */
export function createAccessLog(log: Logger | null): AccessLog {
  if (log === null) return () => {};
  return ({ id, caller, startedAtMs }, operation, status) =>
    log.info(
      {
        operation,
        status,
        ms: Math.round((performance.now() - startedAtMs) * 10) / 10,
        account: caller?.accountId || null,
        keyId: caller?.keyId || null,
        requestId: id,
      },
      'answered',
    );
}
