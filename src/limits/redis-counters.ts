import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import type { LimitCounters } from '../http/limit-counters.ts';
import type { Job } from '../platform/jobs.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import * as scripts from './scripts.ts';

/** Counters in Redis, until they are closed. */
export interface RedisCounters extends LimitCounters {
  /** Announce this process, and probe a Redis that does not answer. */
  readonly jobs: readonly Job[];
  close(): Promise<void>;
}

/** Where the counters are and which process uses them. */
export interface RedisCountersOptions {
  readonly url: string;
  /** Prefix of every key, so that services with different databases may share a Redis. */
  readonly namespace: string;
  /** The name of this process among those that share the counters. */
  readonly self: string;
  onUnavailable(error: unknown): void;
  onAvailable(): void;
}

const connectTimeoutMs = 1_000;
/** A connection without a reply for this long while a command is pending is closed. */
const socketTimeoutMs = 2_000;
/** Short, so that all processes reconnect at nearly the same time: until then each grants from its share. */
const longestReconnectDelayMs = 200;
const announceMs = 1_000;
const probeMs = 200;
/** Redis may have restarted empty: after so many announcements every living process has announced itself again. */
const announcementsUntilComplete = 3;

/** The circuit breaker has reported the error. */
function alreadyReported(): void {}

/** Connects in the background: the service must start while Redis is unavailable. */
export function createRedisCounters(options: RedisCountersOptions): RedisCounters {
  const { url, namespace, self, onUnavailable, onAvailable } = options;
  const redis = new Redis(url, {
    connectTimeout: connectTimeoutMs,
    socketTimeout: socketTimeoutMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(longestReconnectDelayMs, 50 * attempt),
  });
  // `error` carries the reason; `close` says that the connection has ended.
  let reason: unknown = new Error('the connection was closed');
  redis.on('error', (error) => {
    reason = error;
  });
  const run = createScriptRunner(redis);
  const key = (...parts: string[]): string => ['signalpost', namespace, ...parts].join(':');
  let processes = 1;
  let announcements = 0;
  /** Calls that fail before the first connection attempt has ended, or after the close, are no outage. */
  let state: 'connecting' | 'attempted' | 'closing' = 'connecting';
  let isReported = false;
  const report = (error: unknown): void => {
    if (isReported || state !== 'attempted') return;
    isReported = true;
    onUnavailable(error);
  };
  const breaker = createCircuitBreaker({
    onOpen(error) {
      announcements = 0;
      report(error);
    },
    onClosed() {
      if (isReported) onAvailable();
      isReported = false;
    },
  });
  const onAttempted = (): void => {
    if (state === 'connecting') state = 'attempted';
  };

  const announce = async (): Promise<void> => {
    const announced = Math.max(1, Number(await run(scripts.announce, [key('processes')], [self])));
    announcements += 1;
    processes = announcements > announcementsUntilComplete ? announced : Math.max(announced, processes);
  };
  redis.on('close', () => {
    onAttempted();
    breaker.open(reason);
    report(reason);
  });
  redis.on('ready', () => {
    onAttempted();
    void breaker.probe(announce).catch(alreadyReported);
  });

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
        everyMs: probeMs,
        failure: null,
        run: async () => {
          if (breaker.isOpen()) await breaker.probe(announce);
        },
      },
    ],
    ...countersIn(key, (script, keys, args) => breaker.run(() => run(script, keys, args))),
    processes: () => processes,
    isUnavailable: breaker.isOpen,
    async close() {
      state = 'closing';
      // The others take over its share immediately; without this, after its announcement has expired.
      await breaker.run(() => redis.zrem(key('processes'), self)).catch(() => 0);
      redis.disconnect();
    },
  };
}

/** The counters, each one script. */
function countersIn(
  key: (...parts: string[]) => string,
  run: RunScript,
): Omit<LimitCounters, 'processes' | 'isUnavailable'> {
  return {
    async takeTokens(accountId, { capacity, knownLevel, owed, wanted }) {
      const reply = await run(scripts.takeTokens, [key('bucket', accountId)], [capacity, knownLevel, owed, wanted]);
      const [taken, left] = reply as [number, string];
      return { taken, left: Number(left) };
    },
    takeFromWindow: async ({ name, limit, windowMs }, counted) =>
      Number(await run(scripts.takeFromWindow, [key(name, counted)], [limit, windowMs])),
    async recordRefusal(address, after) {
      await run(scripts.recordRefusal, [key('refusals', address), key('blocks')], [after, address]);
    },
    async blocksSince(position) {
      const reply = await run(scripts.blocksSince, [key('blocks')], [position]);
      return readBlocks(reply as BlocksReply, position);
    },
  };
}

/** The time, then alternating addresses and ends of their blocks. */
type BlocksReply = [number, ...string[]];

function readBlocks(
  [nowMs, ...reply]: BlocksReply,
  position: number,
): Awaited<ReturnType<LimitCounters['blocksSince']>> {
  const ends = reply.filter((_, index) => index % 2 === 1).map(Number);
  const addresses = reply.filter((_, index) => index % 2 === 0);
  const blocks = addresses.map((address, index) => ({ address, leftMs: (ends[index] ?? 0) - nowMs }));
  return { blocks, position: Math.max(position, ...ends) };
}

type RunScript = (script: string, keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

/** Runs scripts by their hash, and sends the text only when Redis does not have it. */
function createScriptRunner(redis: Redis): RunScript {
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
