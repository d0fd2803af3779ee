import { type ErrorCode, errorTable } from '../../errors.ts';
import { createHistogram, type Histogram, sample } from './histogram.ts';
import { createSlowestRequests, type SlowRequest } from './slowest-requests.ts';
import { type StageName, type StageTimes, stageNames } from './stage-times.ts';

/** Upper bounds in seconds: from a warm lookup to the longest `wait`. */
const requestBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Fewer, because each operation has several stages. */
const stageBounds = [0.0001, 0.001, 0.005, 0.025, 0.1, 0.25, 1, 5];
/** A bound of the stages: a longer stage is slow. */
const slowStageSeconds = 0.25;
const slowestKept = 20;
const slowestPeriodMs = 15 * 60_000;

/** Counts the responses of one operation. */
export interface OperationMetrics {
  readonly name: string;
  /** Counts a response that was handed to the socket. */
  record(status: number, requestId: string, stages: StageTimes): void;
}

/** Counts responses by operation and status, and how long they and their stages took. */
export interface RequestMetrics {
  operation(name: string): OperationMetrics;
  /** Counts a response of 401 or 429 by its reason. */
  refused(reason: RefusalReason): void;
  /** The figures about requests that `signalpost doctor` reports. */
  diagnostics(): RequestDiagnostics;
  /** Everything counted so far in the text format of Prometheus. */
  exposition(): string;
}

/** A code of 401 or 429, or a key that was only in the query, where it is not accepted. */
export type RefusalReason = ErrorCode | 'key_in_query';

/** Requests that were slow or refused. */
export interface RequestDiagnostics {
  /** Since the process started, by reason. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Since the process started: how many requests were timed in a stage, and how many of them were slow there. */
  readonly stages: readonly {
    readonly operation: string;
    readonly stage: StageName;
    readonly count: number;
    readonly slow: number;
  }[];
  /** Of the last 15 to 30 minutes, slowest first. */
  readonly slowest: readonly SlowRequest[];
}

interface Tally extends OperationMetrics {
  readonly byStatus: Map<number, number>;
  readonly durations: Histogram;
  /** In the order of `stageNames`. */
  readonly stages: readonly Histogram[];
}

export function createRequestMetrics(now: () => number): RequestMetrics {
  const tallies = new Map<string, Tally>();
  // They start at 0: a rate over a series that appears with its first event would miss that event.
  const refusals = new Map<string, number>([...refusalCodes, 'key_in_query'].map((reason) => [reason, 0]));
  const slowest = createSlowestRequests(slowestKept, slowestPeriodMs, now);
  return {
    refused(reason) {
      refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
    },
    operation(name) {
      const tally = tallies.get(name) ?? createTally(name, slowest.offer);
      tallies.set(name, tally);
      return tally;
    },
    diagnostics: () => ({
      refusals: Object.fromEntries(refusals),
      stages: [...tallies.values()].flatMap(stageCounts).filter(({ count }) => count > 0),
      slowest: slowest.all(),
    }),
    exposition() {
      const all = [...tallies.values()];
      return [
        ...described(requestsName, 'counter', 'Responses by operation and status'),
        ...all.flatMap(({ name, byStatus }) =>
          Array.from(byStatus, ([status, count]) =>
            sample(requestsName, `operation="${name}",status="${status}"`, count),
          ),
        ),
        ...described(
          refusalsName,
          'counter',
          'Responses of 401 and 429 by error code; key_in_query: a key in the query, where it is not accepted',
        ),
        ...Array.from(refusals, ([reason, count]) => sample(refusalsName, `reason="${reason}"`, count)),
        ...described(
          durationName,
          'histogram',
          'Time from the parsed head of a request, queueing included, until its response is handed to the socket',
        ),
        ...all.flatMap(({ name, durations }) => durations.samples(durationName, `operation="${name}"`)),
        ...described(
          stageName,
          'histogram',
          'Time of a request by stage; a stage that ends without waiting counts in the next one',
        ),
        ...all.flatMap(stageSamples),
        '',
      ].join('\n');
    },
  };
}

const refusalCodes = Object.entries(errorTable).flatMap(([code, { status }]) =>
  status === 401 || status === 429 ? [code] : [],
);

const requestsName = 'signalpost_requests_total';
const refusalsName = 'signalpost_refusals_total';
const durationName = 'signalpost_request_duration_seconds';
const stageName = 'signalpost_stage_seconds';

function createTally(
  name: string,
  offer: (operation: string, requestId: string, status: number, stages: StageTimes) => void,
): Tally {
  const byStatus = new Map<number, number>();
  const durations = createHistogram(requestBounds);
  const stages = stageNames.map(() => createHistogram(stageBounds));
  const observeStage = (stage: number, ms: number): void => stages[stage]?.observe(ms / 1000);
  return {
    name,
    byStatus,
    durations,
    stages,
    record(status, requestId, times) {
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
      durations.observe(times.totalMs / 1000);
      times.eachTimed(observeStage);
      offer(name, requestId, status, times);
    },
  };
}

function stageSamples({ name, stages }: Tally): string[] {
  return stageNames.flatMap(
    (stage, index) => stages[index]?.samples(stageName, `operation="${name}",stage="${stage}"`) ?? [],
  );
}

function stageCounts({ name, stages }: Tally): RequestDiagnostics['stages'] {
  return stageNames.flatMap((stage, index) => {
    const histogram = stages[index];
    if (histogram === undefined) return [];
    return [{ operation: name, stage, count: histogram.count(), slow: histogram.count(slowStageSeconds) }];
  });
}

function described(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
