import type { Domain } from '../address/domain.ts';
import { hostBytes } from '../mail/mx.ts';
import { boundedMap } from '../platform/bounded-map.ts';
import { createDoorkeeper } from '../platform/doorkeeper.ts';
import { type Readings, readSignals } from '../signals/engine.ts';
import type { Sources } from '../signals/signal.ts';
import type { DomainFacts } from '../signals/sources.ts';

/** The readings of domains that are requested more than once, kept until their inputs change. */
export interface WarmReadings {
  readingsOf(domain: Domain, sources: Sources): Readings;
}

/** Every text made from the readings is kept with them and repeats the mail hosts, so readings with very many hosts are not kept. */
const maxHostBytes = 2_048;
/** An age in days changes with time alone. */
const freshMs = 60_000;

interface Warm {
  readonly facts: DomainFacts;
  readonly revision: object;
  readonly atMs: number;
  readonly readings: Readings;
}

export function createWarmReadings(maxDomains = 10_000): WarmReadings {
  const domains = boundedMap<string, Warm>(maxDomains);
  const isWorthKeeping = createDoorkeeper(maxDomains);
  return {
    readingsOf(domain, sources) {
      const { facts, nowMs } = sources;
      const { revision } = sources.lists;
      const warm = domains.get(domain.ascii);
      if (warm !== undefined && warm.revision === revision && isRecent(warm, nowMs) && isSame(warm.facts, facts)) {
        return warm.readings;
      }
      const readings = readSignals(domain, sources);
      if ((warm !== undefined || isWorthKeeping(domain.ascii)) && isLight(facts)) {
        domains.set(domain.ascii, { facts, revision, atMs: nowMs, readings });
      }
      return readings;
    },
  };
}

function isLight({ mx }: DomainFacts): boolean {
  return !mx.known || hostBytes(mx.value) <= maxHostBytes;
}

function isRecent({ atMs }: Warm, nowMs: number): boolean {
  return nowMs >= atMs && nowMs - atMs < freshMs;
}

/** Readings are replaced, never changed, so comparing identities is enough. */
function isSame(a: DomainFacts, b: DomainFacts): boolean {
  return (
    a.mx === b.mx &&
    a.disposableMail === b.disposableMail &&
    a.spf === b.spf &&
    a.dmarc === b.dmarc &&
    a.dnsbl === b.dnsbl &&
    a.registeredAtMs === b.registeredAtMs &&
    a.rank === b.rank
  );
}
