import { randomUUID } from 'node:crypto';
import type { Metric } from 'prom-client';
import type { IpBlock } from '../accounts/ip-block.ts';
import { createThroughputLimiter, type ThroughputLimiter } from '../accounts/throughput.ts';
import type { Shared } from '../feature.ts';
import type { LimitCounters } from '../http/limit-counters.ts';
import type { Job } from '../platform/jobs.ts';
import { eventCounter, gauge } from '../platform/metric-kinds.ts';
import { createSlidingWindow, type NamedWindow, type TakeFromWindow } from '../platform/sliding-window.ts';
import { createDistributedThroughput } from './distributed-throughput.ts';
import { loadNamespace } from './namespace-store.ts';
import { createSharedWindow } from './shared-window.ts';

/** Limits that all processes enforce together while the shared counters answer; otherwise each process enforces its share. */
export interface Limits {
  readonly throughput: ThroughputLimiter;
  /** Starts to count the events of a window. */
  countWindow(window: NamedWindow): TakeFromWindow;
  /** Counts a refusal for all processes. */
  recordRefusal(group: string): void;
  /** Jobs behind the counters; one of them adds the blocks of other processes to `ipBlock`. */
  jobs(ipBlock: IpBlock): readonly Job[];
  readonly metrics: readonly Metric[];
  close(): Promise<void>;
}

/** Counts in Redis with `REDIS_URL`, else in the parent of the workers, else in this process. `self` names the process. */
export async function createLimits(shared: Shared, self: string): Promise<Limits> {
  const { config, db, log, siblings } = shared;
  if (config.redisUrl === null) return siblings ? countTogether(siblings.counters, shared) : countInProcess(shared);
  const namespace = await loadNamespace(db, randomUUID);
  // Imported here, so that a start without Redis does not load its client.
  const { createRedisCounters } = await import('./redis-counters.ts');
  const counters = createRedisCounters({
    url: config.redisUrl,
    namespace,
    self,
    onUnavailable: (error) =>
      log.warn(
        { err: error },
        'Redis is unavailable; this process enforces its share of each limit until Redis answers',
      ),
    onAvailable: () => log.info('Redis answers again; all processes enforce the limits together'),
  });
  const limits = countTogether(counters, shared);
  return {
    ...limits,
    jobs: (ipBlock) => [...counters.jobs, ...limits.jobs(ipBlock)],
    close: counters.close,
  };
}

function countInProcess({ monotonicMs }: Shared): Limits {
  return {
    throughput: createThroughputLimiter(monotonicMs),
    countWindow: (window) => createSlidingWindow(window, monotonicMs),
    recordRefusal() {},
    jobs: () => [],
    metrics: [],
    async close() {},
  };
}

function countTogether(counters: LimitCounters, { config, monotonicMs }: Shared): Limits {
  const fallbacks = eventCounter(
    'limits_alone_total',
    'Limits that this process applied from its own share because the shared counters did not answer',
    'limit',
  );
  const countFallback = (limit: string) => () => fallbacks.inc({ limit });
  return {
    throughput: createDistributedThroughput(counters, monotonicMs, countFallback('throughput')),
    countWindow: (window) => createSharedWindow(counters, window, monotonicMs, countFallback(window.name)),
    // Each process also blocks by its own count.
    recordRefusal: (group) => void counters.recordRefusal(group, config.ipBlockAfter).catch(countFallback('block')),
    jobs: (ipBlock) => [fetchBlocksJob(counters, ipBlock)],
    metrics: [
      fallbacks,
      gauge('shared_limits_up', 'Whether the counters that all processes share answered last (1) or not (0)', () =>
        counters.isUnavailable() ? 0 : 1,
      ),
    ],
    async close() {},
  };
}

function fetchBlocksJob(counters: LimitCounters, ipBlock: IpBlock): Job {
  let position = 0;
  return {
    name: 'fetch-address-blocks',
    everyMs: 500,
    firstMs: 0,
    // The counters report when they become unavailable, once.
    failure: null,
    async run() {
      const { blocks, ...rest } = await counters.blocksSince(position);
      for (const { address, leftMs } of blocks) ipBlock.addBlock(address, leftMs);
      position = rest.position;
    },
  };
}
