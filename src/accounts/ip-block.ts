import { isLoopback, isPrivate } from '../http/client-address.ts';
import { createEvictionCursor } from '../platform/eviction-cursor.ts';
import { addressGroup } from './address-group.ts';

/** Keeps an address that is refused again and again away for a while. */
export interface IpBlock {
  blockedForSeconds(ip: string): number;
  recordRefusal(ip: string): void;
  /** Another process has blocked what counts as one client. */
  addBlock(group: string, leftMs: number): void;
}

/** What the operator chose, and who is told. */
export interface IpBlockOptions {
  /** Refusals within a minute that block an address; 0 switches it off. */
  readonly after: number;
  readonly loopback: boolean;
  /** Nobody was named as a proxy, so a private address is taken for one: it speaks for many. */
  readonly sparesPrivate: boolean;
  readonly monotonicMs: () => number;
  onBlocked(address: string): void;
  /** Called once, when a private address would have been blocked. */
  onSpared(address: string): void;
  /** Called for every refusal of an address that may be blocked, to be counted by all processes together. */
  onRefusal?(group: string): void;
}

const windowMs = 60_000;
const blockMs = 300_000;
/** A flood from many addresses must not fill the memory: the address seen longest ago is forgotten first. */
const maxAddresses = 20_000;

interface Offender {
  refusedAtMs: number[];
  blockedUntilMs: number;
}

/** Blocks an address for five minutes once it has collected `after` refusals within one minute. */
export function createIpBlock(options: IpBlockOptions): IpBlock {
  const offenders = new Map<string, Offender>();
  const oldest = createEvictionCursor(offenders);
  const isExempt = (ip: string): boolean => options.after === 0 || (!options.loopback && isLoopback(ip));
  let hasWarned = false;

  const isSpared = (ip: string): boolean => options.sparesPrivate && isPrivate(ip);

  const block = (offender: Offender, ip: string, group: string, nowMs: number): void => {
    offender.refusedAtMs = [];
    if (!isSpared(ip)) {
      offender.blockedUntilMs = nowMs + blockMs;
      options.onBlocked(group);
    } else if (!hasWarned) {
      hasWarned = true;
      options.onSpared(group);
    }
  };

  const remember = (group: string): Offender => {
    const offender = offenders.get(group) ?? { refusedAtMs: [], blockedUntilMs: 0 };
    offenders.delete(group);
    offenders.set(group, offender);
    if (offenders.size > maxAddresses) offenders.delete(oldest() ?? '');
    return offender;
  };

  return {
    blockedForSeconds(ip) {
      if (offenders.size === 0) return 0;
      const offender = offenders.get(addressGroup(ip));
      if (offender === undefined) return 0;
      const leftMs = offender.blockedUntilMs - options.monotonicMs();
      return leftMs > 0 ? Math.ceil(leftMs / 1000) : 0;
    },
    recordRefusal(ip) {
      if (isExempt(ip)) return;
      const group = addressGroup(ip);
      const nowMs = options.monotonicMs();
      const offender = remember(group);
      // A known key still speaks from a blocked address; what it is refused does not begin another block.
      if (offender.blockedUntilMs > nowMs) return;
      if (!isSpared(ip)) options.onRefusal?.(group);
      offender.refusedAtMs.push(nowMs);
      while ((offender.refusedAtMs[0] ?? nowMs) <= nowMs - windowMs) offender.refusedAtMs.shift();
      if (offender.refusedAtMs.length >= options.after) block(offender, ip, group, nowMs);
    },
    addBlock(group, leftMs) {
      const offender = remember(group);
      offender.blockedUntilMs = Math.max(offender.blockedUntilMs, options.monotonicMs() + leftMs);
      offender.refusedAtMs = [];
    },
  };
}
