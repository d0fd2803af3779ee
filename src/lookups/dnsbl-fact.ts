import { type Known, known, type Reading } from '../reading.ts';
import type { Fact } from './facts-store.ts';

/** What DNS blocklists said of a domain, as other instances get it: of the zones that were asked, those that list it. */
export function dnsblFact(
  domain: string,
  { value: isListed, why }: Known<unknown>,
  zones: readonly string[],
  learntAtMs: number,
): Fact {
  const source = sourceOf(zones);
  const listings = why?.() ?? [{ source }];
  return {
    domain,
    kind: 'dnsbl',
    value: isListed === true ? listings.map((one) => one.source) : [],
    source,
    learntAtMs,
  };
}

/** The reading that a stored fact stands for; null when other zones were asked than these. */
export function dnsblReading({ value, source }: Fact, zones: readonly string[]): Reading<boolean> | null {
  if (!Array.isArray(value) || source !== sourceOf(zones)) return null;
  const evidence = value.map((zone) => ({ source: String(zone), detail: 'listed' }));
  return known(evidence.length > 0, () => evidence);
}

const sourceOf = (zones: readonly string[]): string => zones.join(' ');
