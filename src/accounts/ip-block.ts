import { isLoopback, isPrivate } from '../http/client-address.ts';
import { boundedMap } from '../platform/bounded-map.ts';
import { addressGroup } from './address-group.ts';

/** Blocks IP addresses temporarily after repeated refusals. */
export interface IpBlock {
  blockedForSeconds(ip: string): number;
  recordRefusal(ip: string): void;
  /** Adds a block that another process started; `group` is an `addressGroup`. */
  addBlock(group: string, leftMs: number): void;
}

/** The operator's settings, and callbacks. */
export interface IpBlockOptions {
  /** The number of refusals within a minute that blocks an address; 0 disables blocking. */
  readonly after: number;
  readonly loopback: boolean;
  /** Never blocks a private address. Set when no proxy is configured: the address may be a proxy with many clients behind it. */
  readonly exemptsPrivate: boolean;
  readonly monotonicMs: () => number;
  onBlocked(address: string): void;
  /** Called once, when a private address would have been blocked. */
  onExempted(address: string): void;
  /** Called for every refusal of an address that may be blocked, so that all processes count it together. */
  onRefusal?(group: string): void;
}

const windowMs = 60_000;
const blockMs = 300_000;
/** A flood from many addresses must not fill the memory: the address refused least recently is evicted first. */
const maxAddresses = 20_000;

interface Offender {
  refusedAtMs: number[];
  blockedUntilMs: number;
}

/** Blocks an address for five minutes after `after` refusals within one minute. */
export function createIpBlock(options: IpBlockOptions): IpBlock {
  const offenders = boundedMap<string, Offender>(maxAddresses);
  const isExempt = (ip: string): boolean => options.after === 0 || (!options.loopback && isLoopback(ip));
  let hasWarned = false;

  const isTrusted = (ip: string): boolean => options.exemptsPrivate && isPrivate(ip);

  const block = (offender: Offender, ip: string, group: string, nowMs: number): void => {
    offender.refusedAtMs = [];
    if (!isTrusted(ip)) {
      offender.blockedUntilMs = nowMs + blockMs;
      options.onBlocked(group);
    } else if (!hasWarned) {
      hasWarned = true;
      options.onExempted(group);
    }
  };

  const moveToNewest = (group: string): Offender => {
    const offender = offenders.get(group) ?? { refusedAtMs: [], blockedUntilMs: 0 };
    offenders.set(group, offender);
    return offender;
  };

  return {
    blockedForSeconds(ip) {
      if (offenders.size === 0) return 0;
      const leftMs = (offenders.get(addressGroup(ip))?.blockedUntilMs ?? 0) - options.monotonicMs();
      return leftMs > 0 ? Math.ceil(leftMs / 1000) : 0;
    },
    recordRefusal(ip) {
      if (isExempt(ip)) return;
      const group = addressGroup(ip);
      const nowMs = options.monotonicMs();
      const offender = moveToNewest(group);
      // A known key may still be used from a blocked address; its refusals do not extend the block.
      if (offender.blockedUntilMs > nowMs) return;
      if (!isTrusted(ip)) options.onRefusal?.(group);
      offender.refusedAtMs.push(nowMs);
      while ((offender.refusedAtMs[0] ?? nowMs) <= nowMs - windowMs) offender.refusedAtMs.shift();
      if (offender.refusedAtMs.length >= options.after) block(offender, ip, group, nowMs);
    },
    addBlock(group, leftMs) {
      const offender = moveToNewest(group);
      offender.blockedUntilMs = Math.max(offender.blockedUntilMs, options.monotonicMs() + leftMs);
      offender.refusedAtMs = [];
    },
  };
}
