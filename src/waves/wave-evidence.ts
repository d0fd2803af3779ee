import type { LoggedDecision, Wave } from './wave.ts';
import { aboutWave, registrableOf, type WaveAbout } from './wave-about.ts';
import { maxFewDomains } from './wave-rule.ts';
import { type Stop, stopsOf } from './wave-stops.ts';

/** The logged decisions of a wave. */
export interface WaveEvidence {
  /** Its decisions that the log still has, newest first. */
  readonly decisions: readonly LoggedDecision[];
  /** The gate that allowed most of it, or received most of it if none was allowed; null if the log has none of it. */
  readonly gateId: string | null;
  readonly about: WaveAbout;
  readonly stops: readonly Stop[];
  /** See `Evidence`. */
  readonly fewDomains: readonly string[];
}

/** How many decisions have their entries read: the others are similar. */
const maxRead = 50;

export function evidenceOf(wave: Wave, decisions: readonly LoggedDecision[]): WaveEvidence {
  const read = spread(decisions, maxRead).map((decision) => decision.read());
  return {
    decisions,
    gateId: mainGate(decisions),
    about: aboutWave(wave, read),
    stops: stopsOf(decisions),
    fewDomains: wave.domains > maxFewDomains ? [] : domainsOf(decisions, wave.domains),
  };
}

function mainGate(decisions: readonly LoggedDecision[]): string | null {
  const allowed = decisions.filter(({ action }) => action === 'allow');
  const byGate = [...Map.groupBy(allowed.length > 0 ? allowed : decisions, ({ gateId }) => gateId)];
  return byGate.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? null;
}

/** All domains of the wave; none if the log has fewer. */
function domainsOf(decisions: readonly LoggedDecision[], wanted: number): readonly string[] {
  const domains = new Set<string>();
  for (const decision of decisions) {
    const domain = registrableOf(decision.read().signals.domain);
    if (domain !== null) domains.add(domain);
    if (domains.size === wanted) return [...domains].sort();
  }
  return [];
}

/** Some of many, at equal distances. */
function spread<T>(all: readonly T[], most: number): readonly T[] {
  const step = Math.ceil(all.length / most);
  return all.filter((_, index) => index % step === 0);
}
