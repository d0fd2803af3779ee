/** Keeps an address that is refused again and again away for a while. */
export interface IpBlock {
  blockedForSeconds(ip: string): number;
  recordRefusal(ip: string): void;
}

const windowMs = 60_000;
const blockMs = 300_000;
/** A flood from many addresses must not fill the memory: the address seen longest ago is forgotten first. */
const maxAddresses = 20_000;

interface Offender {
  refusedAtMs: number[];
  blockedUntilMs: number;
}

/** Blocks an address for five minutes once it has collected `after` refusals within one minute; 0 switches it off. */
export function createIpBlock(options: { after: number; loopback: boolean; monotonicMs: () => number }): IpBlock {
  const offenders = new Map<string, Offender>();
  const exempt = (ip: string): boolean => options.after === 0 || (!options.loopback && isLoopback(ip));
  return {
    blockedForSeconds(ip) {
      if (offenders.size === 0) return 0;
      const offender = offenders.get(groupOf(ip));
      if (offender === undefined) return 0;
      const leftMs = offender.blockedUntilMs - options.monotonicMs();
      return leftMs > 0 ? Math.ceil(leftMs / 1000) : 0;
    },
    recordRefusal(ip) {
      if (exempt(ip)) return;
      const group = groupOf(ip);
      const nowMs = options.monotonicMs();
      const offender = offenders.get(group) ?? { refusedAtMs: [], blockedUntilMs: 0 };
      offenders.delete(group);
      offenders.set(group, offender);
      offender.refusedAtMs.push(nowMs);
      while ((offender.refusedAtMs[0] ?? nowMs) <= nowMs - windowMs) offender.refusedAtMs.shift();
      if (offender.refusedAtMs.length >= options.after) {
        offender.blockedUntilMs = nowMs + blockMs;
        offender.refusedAtMs = [];
      }
      if (offenders.size > maxAddresses) offenders.delete(offenders.keys().next().value ?? '');
    },
  };
}

function isLoopback(ip: string): boolean {
  return ip === '::1' || ip.startsWith('127.') || ip.startsWith('::ffff:127.');
}

/** One person usually has a whole /64 of IPv6 addresses. */
function groupOf(ip: string): string {
  if (!ip.includes(':') || ip.startsWith('::ffff:')) return ip;
  return expandedGroups(ip).slice(0, 4).join(':');
}

function expandedGroups(ip: string): string[] {
  const [head = '', tail] = ip.split('::');
  const front = head === '' ? [] : head.split(':');
  if (tail === undefined) return front;
  const back = tail === '' ? [] : tail.split(':');
  return [...front, ...Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0'), ...back];
}
