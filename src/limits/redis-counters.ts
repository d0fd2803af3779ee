import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Job } from '../platform/jobs.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { Alone, LimitCounters } from './limit-counters.ts';
import * as scripts from './scripts.ts';

/** What is counted together by way of Redis, until it is closed. */
export interface RedisCounters extends LimitCounters {
  /** Announce this process, and probe a Redis that does not answer. */
  readonly jobs: readonly Job[];
  close(): Promise<void>;
}

/** Where the counts are and who counts. */
export interface RedisCountersOptions {
  readonly url: string;
  /** Begins every key, so that services of different databases may share a Redis. */
  readonly namespace: string;
  /** The name of this process among those that count. */
  readonly self: string;
  onUnavailable(error: unknown): void;
  onAvailable(): void;
}

const connectTimeoutMs = 1_000;
/** A connection that says nothing for so long while it is asked is given up. */
const silentConnectionMs = 2_000;
/** Processes must not come back to a Redis that was away long after one another: each has a share until then. */
const longestPauseMs = 200;
/** How often a process says that it is there. */
const announceMs = 1_000;
const retryMs = 200;
/** Redis may have come back empty: so many announcements later all that are there have said so. */
const announcementsUntilAll = 3;

const notAlone: Alone = { forMs: 0, share: 0, perSecond: 0, earned: 0 };

/** The circuit breaker has reported the error. */
function alreadyReported(): void {}

/** Connects in the background: a Redis that is away must not keep the service from starting. */
export function createRedisCounters({
  url,
  namespace,
  self,
  onUnavailable,
  onAvailable,
}: RedisCountersOptions): RedisCounters {
  const redis = new Redis(url, {
    connectTimeout: connectTimeoutMs,
    socketTimeout: silentConnectionMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (tries) => Math.min(longestPauseMs, 50 * tries),
  });
  // Why a connection ended; that it did is told by `close`.
  let reason: unknown = new Error('the connection was closed');
  redis.on('error', (error) => {
    reason = error;
  });
  const run = createRunner(redis);
  const key = (...parts: string[]): string => ['signalpost', namespace, ...parts].join(':');
  let processes = 1;
  let announcements = 0;
  const breaker = createCircuitBreaker({
    onOpen(error) {
      announcements = 0;
      onUnavailable(error);
    },
    onClosed: onAvailable,
  });

  const announce = async (): Promise<void> => {
    const heard = Math.max(1, Number(await run(scripts.announce, [key('processes')], [self])));
    announcements += 1;
    processes = announcements > announcementsUntilAll ? heard : Math.max(heard, processes);
  };
  redis.on('close', () => breaker.open(reason));
  redis.on('ready', () => void breaker.probe(announce).catch(alreadyReported));
  return {
    jobs: [
      {
        name: 'redis-presence',
        everyMs: announceMs,
        firstMs: 0,
        // The circuit breaker reports that Redis is unavailable, once.
        failure: null,
        run: () => breaker.run(announce),
      },
      {
        name: 'redis-reconnect',
        everyMs: retryMs,
        failure: null,
        run: async () => {
          if (breaker.isOpen()) await breaker.probe(announce);
        },
      },
    ],
    takeTokens: (accountId, { capacity, expected, wanted, owed, alone }) =>
      breaker.run(async () => {
        const { forMs, share, perSecond, earned } = alone ?? notAlone;
        const args = [capacity, wanted, owed, forMs, share, perSecond, expected, earned];
        const [taken, left] = (await run(scripts.takeTokens, [key('bucket', accountId)], args)) as [number, string];
        return { taken, left: Number(left) };
      }),
    takeAnonymous: (address, perHour) =>
      breaker.run(async () => Number(await run(scripts.takeAnonymous, [key('anonymous', address)], [perHour]))),
    recordRefusal: (address, after) =>
      breaker.run(async () => {
        await run(scripts.recordRefusal, [key('refusals', address), key('blocks')], [after, address]);
      }),
    blocksSince: (position) =>
      breaker.run(async () =>
        readBlocks((await run(scripts.blocksSince, [key('blocks')], [position])) as Told, position),
      ),
    processes: () => processes,
    isUnavailable: breaker.isOpen,
    async close() {
      // So that the others need not wait to have its share; one that is away forgets in time.
      await breaker.run(() => redis.zrem(key('processes'), self)).catch(() => 0);
      redis.disconnect();
    },
  };
}

type Told = [number, ...string[]];

/** The time, then addresses and the ends of their blocks by turns. */
function readBlocks([nowMs, ...told]: Told, position: number): Awaited<ReturnType<LimitCounters['blocksSince']>> {
  const ends = told.filter((_, place) => place % 2 === 1).map(Number);
  const addresses = told.filter((_, place) => place % 2 === 0);
  const blocks = addresses.map((address, place) => ({ address, leftMs: (ends[place] ?? 0) - nowMs }));
  return { blocks, position: Math.max(position, ...ends) };
}

type Run = (script: string, keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

/** Names a script by its hash, and sends it when Redis does not have it, or no longer. */
function createRunner(redis: Redis): Run {
  const hashes = new Map<string, string>();
  return async (script, keys, args) => {
    const hash = hashes.get(script) ?? createHash('sha1').update(script).digest('hex');
    hashes.set(script, hash);
    try {
      return await redis.evalsha(hash, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return redis.eval(script, keys.length, ...keys, ...args);
    }
  };
}
