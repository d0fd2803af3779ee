import { JsonText } from '../http/endpoint.ts';
import { type Reading, valueOrNull } from '../reading.ts';
import { disposableOverall, explainReadings, type Readings } from '../signals/engine.ts';
import type { LookupOptions, LookupResult } from './lookup.ts';

/** How much of a lookup goes onto the wire. */
export interface BodyOptions extends LookupOptions {
  readonly pro: boolean;
  readonly explain: boolean;
}

/** The body of `GET /domain/{domain}` as text. */
export function domainText(result: LookupResult, options: BodyOptions): JsonText {
  if (options.explain) return new JsonText(JSON.stringify(domainBody(result, options)));
  return domainTexts(result, options);
}

const domainTexts = oncePerVariant((result, options) => new JsonText(JSON.stringify(domainBody(result, options))));

/** The body of `GET /email/{email}` as text: that of the domain, with what is of the address alone around it. */
export function emailText(result: LookupResult, options: BodyOptions): JsonText {
  const { readings, subject } = result;
  const ownVerdict = readings.disposableAddress.known && readings.disposableAddress.value;
  if (options.explain || ownVerdict) return new JsonText(JSON.stringify(emailBody(result, options)));
  return new JsonText(
    `{"status":200,"email":${JSON.stringify(subject.address?.submitted)},` +
      `"normalized_email":${JSON.stringify(value(readings.normalizedEmail))},${emailMiddles(result, options)},` +
      `"did_you_mean":${JSON.stringify(addressSuggestion(result))},` +
      `"alias":${value(readings.alias)},"role_account":${value(readings.roleAccount)}}`,
  );
}

/** What the answers about all addresses of a domain share, without the braces. */
const emailMiddles = oncePerVariant((result, options) => {
  const {
    did_you_mean: _,
    status: __,
    ...shared
  } = domainBody({ ...result, readings: result.domainReadings }, options);
  return JSON.stringify(shared).slice(1, -1);
});

/** What follows from the readings of a domain and three switches is kept as long as the readings are. */
function oncePerVariant<T>(
  make: (result: LookupResult, options: BodyOptions) => T,
): (result: LookupResult, options: BodyOptions) => T {
  const made = new WeakMap<Readings, T[]>();
  return (result, options) => {
    let variants = made.get(result.domainReadings);
    if (variants === undefined) {
      variants = [];
      made.set(result.domainReadings, variants);
    }
    const variant = (options.pro ? 1 : 0) + (options.includeMx ? 2 : 0) + (result.blocklisted === true ? 4 : 0);
    variants[variant] ??= make(result, options);
    return variants[variant];
  };
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
  return {
    status: 200,
    email: subject.address?.submitted,
    normalized_email: value(readings.normalizedEmail),
    domain: subject.domain.ascii,
    ...sharedFields(result, options),
    disposable: value(disposable),
    disposable_provider: providerField(disposable, result, options),
    did_you_mean: addressSuggestion(result),
    alias: value(readings.alias),
    role_account: value(readings.roleAccount),
  };
}

function addressSuggestion({ readings, subject }: LookupResult): string | null {
  const suggestion = valueOrNull(readings.didYouMean);
  return suggestion === null ? null : `${subject.address?.localPart}@${suggestion}`;
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
    // Boolean by contract: what no zone can say at the moment is not spam.
    spam: value(readings.spam) ?? false,
    blocklisted: pro ? blocklisted : undefined,
    explain: explain ? explainReadings(readings) : undefined,
  };
}

/** Present only when `disposable` is true, and on Pro plans. */
function providerField(disposable: Reading<boolean>, { readings }: LookupResult, { pro }: BodyOptions): unknown {
  return pro && disposable.known && disposable.value ? value(readings.disposableProvider) : undefined;
}
