import type { Admission, Throughput } from '../http/admission.ts';
import { isLoopback, isPrivate } from '../http/client-address.ts';
import type { Caller } from '../http/endpoint.ts';
import { Attachable, createAttachment } from '../platform/attachment.ts';
import { mapMaybePromise } from '../platform/map-maybe-promise.ts';
import type { NamedWindow, TakeFromWindow } from '../platform/sliding-window.ts';
import { addressGroup } from './address-group.ts';
import type { Metered, ThroughputLimiter } from './throughput.ts';

const keyRateLimit = 50;

/** The operator's settings, and how to count. */
export interface HintLimitsOptions {
  readonly perMinute: number;
  readonly perHour: number;
  /** Set when no proxy is configured: a private address may be a proxy with many visitors behind it. */
  readonly exemptsPrivate: boolean;
  countWindow(window: NamedWindow): TakeFromWindow;
  readonly throughput: ThroughputLimiter;
  /** Called once, when a private address is not limited. */
  onExempted(address: string): void;
}

/** A publishable key has its own token bucket, so that visitors of a page cannot use up the throughput of its account. */
class MeteredKey extends Attachable implements Metered {
  readonly accountId: string;
  readonly plan = { rateLimit: keyRateLimit };
  constructor(keyId: string) {
    super();
    this.accountId = `hints:${keyId}`;
  }
}

/** Limits hints for each client address and for each key; a refused address takes nothing from the key. */
export function createHintLimits(options: HintLimitsOptions): Admission['takeHint'] {
  const { perMinute, perHour, exemptsPrivate, countWindow, throughput } = options;
  const takeInMinute = countWindow({ name: 'hints-minute', limit: perMinute, windowMs: 60_000 });
  const takeInHour = countWindow({ name: 'hints-hour', limit: perHour, windowMs: 3_600_000 });
  const meteredKeys = createAttachment<MeteredKey>();
  let hasWarned = false;

  const isTrusted = (ip: string): boolean => {
    if (!exemptsPrivate || !(isLoopback(ip) || isPrivate(ip))) return false;
    if (!hasWarned) options.onExempted(ip);
    hasWarned = true;
    return true;
  };
  const takeFromAddress = (ip: string): number | Promise<number> => {
    if (isTrusted(ip)) return 0;
    const group = addressGroup(ip);
    return mapMaybePromise(takeInMinute(group), (seconds) => (seconds > 0 ? seconds : takeInHour(group)));
  };
  const meteredKey = (caller: Caller): MeteredKey => {
    const metered = meteredKeys.of(caller) ?? new MeteredKey(caller.keyId);
    meteredKeys.put(caller, metered);
    return metered;
  };
  return (caller, ip) =>
    mapMaybePromise(takeFromAddress(ip), (retryAfterSeconds): Throughput | Promise<Throughput> =>
      retryAfterSeconds > 0
        ? { allowed: false, limit: keyRateLimit, remaining: 0, retryAfterSeconds }
        : throughput.take(meteredKey(caller)),
    );
}
