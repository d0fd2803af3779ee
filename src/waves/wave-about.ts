import { placeOf, type SubjectName } from '../gates/rules/signals.ts';
import { maxShown } from './about-text.ts';
import { kindRows } from './kind-rows.ts';
import type { LoggedDetails, Wave } from './wave.ts';

/** The value of a wave, as its decisions saw it; null where something is unknown or does not apply. */
export interface WaveAbout {
  readonly text: string;
  readonly owner: string | null;
  readonly asn: number | null;
  readonly countryCode: string | null;
  /** How the network is used, such as `hosting` or `isp`. */
  readonly networkType: string | null;
  readonly ageDays: number | null;
  readonly mailServers: readonly string[] | null;
  readonly isRelay: boolean | null;
  readonly isDisposable: boolean | null;
  /** The domains of its addresses, some of them. */
  readonly domains: readonly string[];
  readonly example: string | null;
}

/** Describes the value of a wave by some of its decisions, newest first. */
export function aboutWave(wave: Pick<Wave, 'kind' | 'value'>, decisions: readonly LoggedDetails[]): WaveAbout {
  const known = <T>(subject: SubjectName, name: string): T | null => {
    const place = placeOf(subject, name);
    for (const { signals } of decisions) {
      const value = signals[subject]?.[place] ?? null;
      if (value !== null) return value as T;
    }
    return null;
  };
  const domains = [...new Set(decisions.flatMap(({ signals }) => registrableOf(signals.domain) ?? []))];
  const hasOneNetwork = wave.kind === 'network';
  const hasOneDomain = wave.kind === 'domain' || wave.kind === 'mailbox';
  const facts = {
    owner: hasOneNetwork ? known<string>('ip', 'network.aso') : null,
    asn: hasOneNetwork ? known<number>('ip', 'network.asn') : null,
    countryCode: hasOneNetwork ? known<string>('ip', 'geo.country_code') : null,
    networkType: hasOneNetwork ? networkType(known('ip', 'network.type'), known('ip', 'hosting.detected')) : null,
    ageDays: hasOneDomain ? known<number>('domain', 'age_days') : null,
    mailServers: hasOneDomain ? hostsOf(known('domain', 'mx_records')) : null,
    isRelay: hasOneDomain ? known<boolean>('domain', 'relay_domain') : null,
    isDisposable: hasOneDomain ? known<boolean>('domain', 'disposable') : null,
    domains: domains.slice(0, maxShown),
    example: decisions[0]?.email || null,
  };
  const country = hasOneNetwork ? known<string>('ip', 'geo.country') : null;
  return {
    text: kindRows[wave.kind].text(wave.value, { ...facts, country, isPublic: known('domain', 'public_domain') }),
    ...facts,
  };
}

/** `hosting` where a data file says so, whatever the type of the network's owner. */
function networkType(type: string | null, isHosting: boolean | null): string | null {
  return isHosting ? 'hosting' : type;
}

function hostsOf(records: unknown): readonly string[] | null {
  if (!Array.isArray(records)) return null;
  return records.map((record: { readonly hostname: string } | string) =>
    typeof record === 'string' ? record : record.hostname,
  );
}

/** The registrable domain of a decision. */
export function registrableOf(domain: readonly unknown[]): string | null {
  const value = domain[placeOf('domain', 'registrable')] ?? null;
  return typeof value === 'string' ? value : null;
}
