import type { Dmarc } from '../../mail/dmarc.ts';
import type { MxRecord } from '../../mail/dns-source.ts';
import type { MxProvider } from '../../mail/mx-providers.ts';
import type { Spf } from '../../mail/spf.ts';
import { known } from '../../reading.ts';
import type { Signal } from '../signal.ts';

/** The domain can receive mail. */
export const mx: Signal<boolean> = {
  subject: 'domain',
  schema: { type: 'boolean' },
  about: 'The domain has valid MX records.',
  label: 'Receives mail',
  group: 'Domain · mail',
  from: 'DNS',
  lookup: { name: 'mx', needsMx: true, column: 'fact' },
  gates: { name: 'mx' },
  read: (_subject, { facts }) => (facts.mx.known ? known(facts.mx.value.length > 0, facts.mx.why) : facts.mx),
};

/** The usable MX records, best first. */
export const mxRecords: Signal<readonly MxRecord[]> = {
  subject: 'domain',
  schema: {
    type: 'array',
    items: {
      type: 'object',
      required: ['hostname', 'priority'],
      properties: { hostname: { type: 'string' }, priority: { type: 'integer' } },
    },
  },
  names: 'name',
  about: 'The usable MX records, best first.',
  label: 'MX records',
  group: 'Domain · mail',
  from: 'DNS',
  lookup: { name: 'mx_records', needsMx: true },
  gates: {
    name: 'mx_records',
    items: { hostname: { label: 'Mail servers', about: 'The host names of the MX records.' } },
  },
  read: (_subject, { facts }) => facts.mx,
};

/** Third-party services that receive the mail of the domain. */
export const mxProviders: Signal<readonly MxProvider[]> = {
  subject: 'domain',
  schema: {
    type: 'array',
    items: {
      type: 'object',
      required: ['slug', 'type', 'grade'],
      properties: { slug: { type: 'string' }, type: { type: 'string' }, grade: { type: 'string' } },
    },
  },
  about: 'The services that handle the mail of the domain, with kind and grade.',
  label: 'Mail services',
  group: 'Domain · mail',
  from: 'DNS and a table',
  lookup: { name: 'mx_providers' },
  gates: {
    name: 'mx_providers',
    items: {
      slug: {
        label: 'Mail services',
        about: 'The services that handle the mail of the domain (google, microsoft).',
      },
      type: {
        label: 'Kinds of mail services',
        about: 'The kinds of these services: mailbox, hosting, email_api, security_gateway, forwarding.',
        values: ['mailbox', 'hosting', 'email_api', 'security_gateway', 'forwarding'],
      },
      grade: {
        label: 'Grades of mail services',
        about: 'The grades of these services: enterprise, professional, standard, basic.',
        values: ['enterprise', 'professional', 'standard', 'basic'],
      },
    },
  },
  read: (_subject, { facts }) => (facts.mx.known ? known(facts.mxProviders, facts.mx.why) : facts.mx),
};

/** How strictly the domain says who may send for it (RFC 7208). */
export const spf: Signal<Spf> = {
  subject: 'domain',
  schema: { type: 'string', enum: ['strict', 'relaxed', 'neutral', 'permissive', 'missing', 'invalid'] },
  about: 'strict, relaxed, neutral, permissive, missing or invalid.',
  label: 'SPF',
  group: 'Domain · mail',
  from: 'DNS',
  lookup: { name: 'spf', column: 'fact' },
  gates: { name: 'spf' },
  read: (_subject, { facts }) => facts.spf,
};

/** The DMARC policy that applies to the domain (RFC 9989). */
export const dmarc: Signal<Dmarc> = {
  subject: 'domain',
  schema: { type: 'string', enum: ['reject', 'quarantine', 'none', 'missing', 'invalid'] },
  about: 'reject, quarantine, none, missing or invalid.',
  label: 'DMARC',
  group: 'Domain · mail',
  from: 'DNS',
  lookup: { name: 'dmarc', column: 'fact' },
  gates: { name: 'dmarc' },
  read: (_subject, { facts }) => facts.dmarc,
};
