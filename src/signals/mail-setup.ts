import type { Dmarc } from '../mail/dmarc.ts';
import type { MxRecord } from '../mail/dns-source.ts';
import type { MxProvider } from '../mail/mx-providers.ts';
import type { Spf } from '../mail/spf.ts';
import { known } from '../reading.ts';
import type { Signal } from './signal.ts';

/** The domain can receive mail. */
export const mx: Signal<boolean> = {
  name: 'mx',
  summary: 'At least one MX record names a usable host',
  read: (_subject, { facts }) => (facts.mx.known ? known(facts.mx.value.length > 0, facts.mx.why) : facts.mx),
};

export const mxRecords: Signal<readonly MxRecord[]> = {
  name: 'mx_records',
  summary: 'The usable MX records, best first',
  read: (_subject, { facts }) => facts.mx,
};

export const mxProviders: Signal<readonly MxProvider[]> = {
  name: 'mx_providers',
  summary: 'Third-party services that receive the mail of the domain',
  read: (_subject, { facts }) => (facts.mx.known ? known(facts.mxProviders, facts.mx.why) : facts.mx),
};

export const spf: Signal<Spf> = {
  name: 'spf',
  summary: 'How strictly the domain says who may send for it (RFC 7208)',
  read: (_subject, { facts }) => facts.spf,
};

export const dmarc: Signal<Dmarc> = {
  name: 'dmarc',
  summary: 'The DMARC policy that applies to the domain (RFC 9989)',
  read: (_subject, { facts }) => facts.dmarc,
};
