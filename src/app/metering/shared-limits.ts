import { randomUUID } from 'node:crypto';
import { Counter, type Metric } from 'prom-client';
import { createAnonymous } from '../../accounts/anonymous.ts';
import type { IpBlock } from '../../accounts/ip-block.ts';
import { loadNamespace } from '../../accounts/shared/namespace-store.ts';
import { createSharedAnonymous } from '../../accounts/shared/shared-anonymous.ts';
import type { SharedCounts } from '../../accounts/shared/shared-counts.ts';
import { createSharedThroughput } from '../../accounts/shared/shared-throughput.ts';
import { createThroughputLimiter, type ThroughputLimiter } from '../../accounts/throughput.ts';
import type { Admission } from '../../http/admission.ts';
import { repeat } from '../../platform/repeat.ts';
import type { Shared } from '../feature.ts';
import { gauge } from '../metric-kinds.ts';

/** How often blocks of other processes are looked for. */
const lookMs = 500;

/** Limits that hold for all processes together, where they can be counted together, and else for each. */
export interface Limits {
  readonly throughput: ThroughputLimiter;
  readonly takeAnonymous: Admission['takeAnonymous'];
  /** Tells the others of a refusal. */
  recordRefusal(group: string): void;
  /** Tells the block of addresses here of blocks elsewhere, from now on. */
  learnBlocks(ipBlock: IpBlock): void;
  readonly metrics: readonly Metric[];
  close(): Promise<void>;
}

/** Counts through Redis with `REDIS_URL`, else with the other processes of this instance, else alone. `self` names the process. */
export async function createLimits(shared: Shared, self: string): Promise<Limits> {
  const { config, db, log, siblings } = shared;
  if (config.redisUrl === null) return siblings ? countTogether(siblings.counts, shared) : countAlone(shared);
  const namespace = await loadNamespace(db, randomUUID);
  // Only who uses Redis loads its client: a start is quicker for it.
  const { createRedisCounts } = await import('../../limits/redis-counts.ts');
  const counts = createRedisCounts({
    url: config.redisUrl,
    namespace,
    self,
    onAway: (error) => log.warn({ err: error }, 'Redis is away: this process counts on its own share of the limits'),
    onBack: () => log.info('Redis is back: limits are counted together again'),
  });
  const limits = countTogether(counts, shared);
  return {
    ...limits,
    async close() {
      await limits.close();
      await counts.close();
    },
  };
}

function countAlone({ config, monotonicMs }: Shared): Limits {
  return {
    throughput: createThroughputLimiter(monotonicMs),
    takeAnonymous: createAnonymous(config.anonymousPerHour, monotonicMs),
    recordRefusal() {},
    learnBlocks() {},
    metrics: [],
    async close() {},
  };
}

function countTogether(counts: SharedCounts, { config, monotonicMs }: Shared): Limits {
  const fallbacks = new Counter({
    name: 'signalpost_limits_alone_total',
    help: 'Limits applied by this process alone because the shared counts were away',
    labelNames: ['limit'],
    registers: [],
  });
  const alone = createAnonymous(config.anonymousPerHour, monotonicMs);
  const countFallback = (limit: string) => () => fallbacks.inc({ limit });
  let looks: { stop(): Promise<void> } | undefined;
  return {
    throughput: createSharedThroughput(counts, monotonicMs, countFallback('throughput')),
    takeAnonymous: createSharedAnonymous(counts, config.anonymousPerHour, alone, countFallback('anonymous')),
    // Every process blocks by its own count as well.
    recordRefusal: (group) => void counts.recordRefusal(group, config.ipBlockAfter).catch(countFallback('block')),
    learnBlocks(ipBlock) {
      let position = 0;
      const look = async (): Promise<void> => {
        const { blocks, ...rest } = await counts.blocksSince(position);
        for (const { address, leftMs } of blocks) ipBlock.learn(address, leftMs);
        position = rest.position;
      };
      // Whoever keeps the counts tells when they are away.
      looks = repeat(lookMs, look, () => {}, 0);
    },
    metrics: [
      fallbacks,
      gauge('shared_limits_up', 'Whether limits are counted together with other processes', () =>
        counts.isAway() ? 0 : 1,
      ),
    ],
    async close() {
      await looks?.stop();
    },
  };
}
