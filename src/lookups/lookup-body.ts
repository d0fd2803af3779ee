import { disposableOverall, explainReadings } from '../signals/engine.ts';
import { type Reading, valueOrNull } from '../signals/reading.ts';
import type { LookupOptions, LookupResult } from './lookup.ts';

/** How much of a lookup goes onto the wire. */
export interface BodyOptions extends LookupOptions {
  readonly pro: boolean;
  readonly explain: boolean;
}

/** The body of `GET /domain/{domain}`. Fields that are undefined are left out. */
export function domainBody(result: LookupResult, options: BodyOptions): Record<string, unknown> {
  const { readings } = result;
  return {
    status: 200,
    domain: result.subject.domain.ascii,
    ...sharedFields(result, options),
    disposable: value(readings.disposable),
    disposable_provider: providerField(readings.disposable, result, options),
    did_you_mean: value(readings.didYouMean),
  };
}

/** The body of `GET /email/{email}`. */
export function emailBody(result: LookupResult, options: BodyOptions): Record<string, unknown> {
  const { readings, subject } = result;
  const disposable = disposableOverall(readings);
  const suggestion = value(readings.didYouMean);
  return {
    status: 200,
    email: subject.address?.submitted,
    normalized_email: value(readings.normalizedEmail),
    domain: subject.domain.ascii,
    ...sharedFields(result, options),
    disposable: value(disposable),
    disposable_provider: providerField(disposable, result, options),
    did_you_mean: suggestion === null ? null : `${subject.address?.localPart}@${suggestion}`,
    alias: value(readings.alias),
    role_account: value(readings.roleAccount),
  };
}

const value = valueOrNull;

function sharedFields({ readings, blocklisted }: LookupResult, { pro, includeMx, explain }: BodyOptions) {
  return {
    domain_authority: pro ? value(readings.domainAuthority) : undefined,
    tld_trust: pro ? value(readings.tldTrust) : undefined,
    domain_age_in_days: value(readings.domainAge),
    mx: includeMx ? value(readings.mx) : undefined,
    mx_records: includeMx ? (value(readings.mxRecords) ?? []) : undefined,
    mx_providers: value(readings.mxProviders) ?? [],
    spf: value(readings.spf),
    dmarc: value(readings.dmarc),
    public_domain: value(readings.publicDomain),
    relay_domain: value(readings.relayDomain),
    free_subdomain: value(readings.freeSubdomain),
    spam: value(readings.spam),
    blocklisted: pro ? blocklisted : undefined,
    explain: explain ? explainReadings(readings) : undefined,
  };
}

/** Present only when `disposable` is true, and on Pro plans. */
function providerField(disposable: Reading<boolean>, { readings }: LookupResult, { pro }: BodyOptions): unknown {
  return pro && disposable.known && disposable.value ? value(readings.disposableProvider) : undefined;
}
