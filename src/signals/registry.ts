import { alias } from './alias.ts';
import { didYouMean } from './did-you-mean.ts';
import { disposable } from './disposable.ts';
import { disposableAddress } from './disposable-address.ts';
import { disposableProvider } from './disposable-provider.ts';
import { domainAge } from './domain-age.ts';
import { domainAuthority } from './domain-authority.ts';
import { freeSubdomain } from './free-subdomain.ts';
import { dmarc, mx, mxProviders, mxRecords, spf } from './mail-setup.ts';
import { normalizedEmail } from './normalized-email.ts';
import { publicDomain } from './public-domain.ts';
import { relayDomain } from './relay-domain.ts';
import { roleAccount } from './role-account.ts';
import { spam } from './spam.ts';
import { tldTrust } from './tld-trust.ts';

/** Every signal of the service. */
export const signals = {
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
  disposableAddress,
  normalizedEmail,
  alias,
  roleAccount,
};

/** The name of a signal in the code. */
export type SignalName = keyof typeof signals;
