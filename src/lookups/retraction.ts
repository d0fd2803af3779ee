import type { FactKind } from './facts-store.ts';

/** Facts in doubt, because the server they came from turned out to lie. */
export interface Retraction {
  /** Learnt at or after this moment, epoch ms. */
  readonly sinceMs: number;
  /** Learnt at or before this moment, epoch ms. */
  readonly untilMs: number;
  /** False: only facts that rest on a denial. */
  readonly all: boolean;
}

/** Verdicts of MX, SPF and DNS blocklists, as JSON, that rest on a denial. */
const denialTexts: readonly string[] = ['[]', '"missing"', '"invalid"'];

/** Whether a fact is among those in doubt. A registry's answer is never: it does not come from the DNS. */
export function isRetracted(
  { sinceMs, untilMs, all }: Retraction,
  fact: { readonly kind: FactKind | 'dnsbl'; readonly value: unknown; readonly learntAtMs: number },
): boolean {
  if (fact.kind === 'registration' || fact.learntAtMs < sinceMs || fact.learntAtMs > untilMs) return false;
  // A DMARC policy may be a parent's because the domain's own was denied.
  return all || fact.kind === 'dmarc' || fact.value === false || denialTexts.includes(JSON.stringify(fact.value));
}
