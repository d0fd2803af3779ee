import {
  type Bucket,
  capacityOf,
  fill,
  type Metered,
  type ThroughputLimiter,
  throughputOf,
} from '../accounts/throughput.ts';
import type { Throughput } from '../http/admission.ts';
import type { LimitCounters } from '../http/limit-counters.ts';
import { boundedMap } from '../platform/bounded-map.ts';

/** One account in this process: its pending requests, and the process's share, used while the shared bucket is unavailable. */
interface AccountState {
  readonly share: Bucket;
  pending: PendingRequest[];
  isAsking: boolean;
  /** Tokens granted from the share since the shared bucket last answered. */
  grantedFromShare: number;
}

interface PendingRequest {
  readonly caller: Metered;
  resolve(answer: Throughput): void;
}

/** All processes notice within this time of each other that the shared buckets answer again. */
const rejoinMs = 250;
/** No process serves this many requests a second, so a larger share cannot run out and needs no call to the shared bucket. */
const unreachablePerSecond = 50_000;
/** Accounts in memory; the oldest is evicted first. */
const maxAccounts = 50_000;

/**
 * One token bucket per account for all processes. Requests that arrive during a call to the shared bucket wait for the next call,
 * which asks for all of them. While the shared bucket is unavailable, the process grants from its share. Afterwards the bucket
 * continues at the level of that share, less the grants of the last `rejoinMs`: other processes may have rejoined earlier.
 */
export function createDistributedThroughput(
  counters: Pick<LimitCounters, 'takeTokens' | 'processes' | 'isUnavailable'>,
  monotonicMs: () => number,
  onFallback: () => void,
): ThroughputLimiter {
  const states = boundedMap<string, AccountState>(maxAccounts);

  const sharePerSecond = ({ plan }: Metered): number => capacityOf(plan) / counters.processes();

  const stateOf = (caller: Metered): AccountState => {
    const known = states.get(caller.accountId);
    if (known !== undefined) return known;
    const share = { tokens: sharePerSecond(caller), filledAtMs: monotonicMs() };
    const state: AccountState = { share, pending: [], isAsking: false, grantedFromShare: 0 };
    states.set(caller.accountId, state);
    return state;
  };

  const fillShare = ({ share }: AccountState, caller: Metered): void => {
    const perSecond = sharePerSecond(caller);
    fill(share, Math.max(1, perSecond), perSecond, monotonicMs());
  };

  const takeFromShare = (state: AccountState, caller: Metered): Throughput => {
    const { share } = state;
    fillShare(state, caller);
    const allowed = share.tokens >= 1;
    if (allowed) share.tokens -= 1;
    return throughputOf(caller.plan, allowed, share.tokens, sharePerSecond(caller));
  };

  const takeWhileUnavailable = (state: AccountState, caller: Metered): Throughput => {
    onFallback();
    const answer = takeFromShare(state, caller);
    if (answer.allowed) state.grantedFromShare += 1;
    return answer;
  };

  const takeBatch = async (state: AccountState, caller: Metered): Promise<void> => {
    const { pending: batch, share, grantedFromShare } = state;
    state.pending = [];
    const capacity = capacityOf(caller.plan);
    fillShare(state, caller);
    const knownLevel = grantedFromShare > 0 ? share.tokens : Math.min(capacity, share.tokens * counters.processes());
    const owed = Math.min(grantedFromShare, (sharePerSecond(caller) * rejoinMs) / 1_000);
    try {
      const { taken, left } = await counters.takeTokens(caller.accountId, {
        capacity,
        knownLevel,
        wanted: batch.length,
        owed,
      });
      state.grantedFromShare -= grantedFromShare;
      share.tokens = left / counters.processes();
      share.filledAtMs = monotonicMs();
      for (const [index, { caller: waiting, resolve }] of batch.entries())
        resolve(throughputOf(waiting.plan, index < taken, left + Math.max(0, taken - index - 1), capacity));
    } catch {
      // The counters report why they are unavailable; `onFallback` counts each request.
      for (const { caller: waiting, resolve } of batch) resolve(takeWhileUnavailable(state, waiting));
    }
  };

  const takeAllPending = async (state: AccountState): Promise<void> => {
    state.isAsking = true;
    for (let [first] = state.pending; first !== undefined; [first] = state.pending)
      await takeBatch(state, first.caller);
    state.isAsking = false;
  };

  return {
    take(caller) {
      const state = stateOf(caller);
      if (sharePerSecond(caller) >= unreachablePerSecond) return takeFromShare(state, caller);
      if (counters.isUnavailable()) return takeWhileUnavailable(state, caller);
      const { promise, resolve } = Promise.withResolvers<Throughput>();
      state.pending.push({ caller, resolve });
      if (!state.isAsking) void takeAllPending(state);
      return promise;
    },
  };
}
