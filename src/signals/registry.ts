import { alias } from './address/alias.ts';
import { disposableAddress } from './address/disposable-address.ts';
import { normalizedEmail } from './address/normalized-email.ts';
import { localPart, localPartLength, subaddress, submittedAddress } from './address/parts.ts';
import { roleAccount } from './address/role-account.ts';
import { blocklisted } from './domain/blocklisted.ts';
import { didYouMean } from './domain/did-you-mean.ts';
import { disposable } from './domain/disposable.ts';
import { disposableProvider } from './domain/disposable-provider.ts';
import { domainAge } from './domain/domain-age.ts';
import { domainAuthority } from './domain/domain-authority.ts';
import { freeSubdomain, publicDomain, relayDomain } from './domain/list-signals.ts';
import { dmarc, mx, mxProviders, mxRecords, spf } from './domain/mail-setup.ts';
import { domainName, registrable, sld, subdomain, tld } from './domain/parts.ts';
import { spam } from './domain/spam.ts';
import { tldTrust } from './domain/tld-trust.ts';
import type { AnyCallerSignal, AnySignal } from './signal.ts';

/**
 * The signals of domains. The first is the subject itself. The decision log keeps values by their position: existing signals keep
 * theirs, a new signal comes last.
 */
export const domainSignals = {
  domainName,
  registrable,
  tld,
  sld,
  subdomain,
  domainAuthority,
  tldTrust,
  domainAge,
  mx,
  mxRecords,
  mxProviders,
  spf,
  dmarc,
  disposable,
  disposableProvider,
  publicDomain,
  relayDomain,
  freeSubdomain,
  spam,
  didYouMean,
  blocklisted,
};

/** The signals of addresses, under the same rules; those of IP addresses are in `ip/ip-signals.ts`. */
const addressSignals = {
  submittedAddress,
  normalizedEmail,
  localPart,
  localPartLength,
  subaddress,
  disposableAddress,
  roleAccount,
  alias,
};

/** Every signal of domains and addresses. */
export const signals = { ...domainSignals, ...addressSignals };

/** The name of a signal in the code. */
export type SignalName = keyof typeof signals;

/** A signal of the registry with its name. */
export interface Registered {
  readonly key: SignalName;
  readonly signal: AnySignal | AnyCallerSignal;
}

/** The signals of the registry in their order. */
export function registered(): readonly Registered[] {
  return (Object.keys(signals) as SignalName[]).map((key) => ({ key, signal: signals[key] }));
}
