import { type UnknownReason, unknown } from '../src/reading.ts';
import type { DomainFacts } from '../src/signals/sources.ts';

/** The facts of a domain about which the network provided nothing, with the reason. */
export function unknownFacts(reason: UnknownReason): DomainFacts {
  const reading = unknown(reason);
  return {
    mx: reading,
    mxProviders: [],
    disposableMx: null,
    disposableMail: null,
    spf: reading,
    dmarc: reading,
    dnsbl: reading,
    registeredAtMs: reading,
    rank: null,
    isRankingLoaded: true,
    ranking: { explain: () => [] },
  };
}
