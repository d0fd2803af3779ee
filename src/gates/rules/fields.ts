import type { FieldType, Operator } from './operators.ts';
import { operatorsByType } from './operators.ts';
import type { DecisionSignals } from './signals.ts';

/** Reads one field; null is unknown. */
export type Read<T> = (signals: DecisionSignals) => T | null;

/** A field a condition can name: its path on the wire, its type, and how to read it. */
export type Field =
  | { readonly type: 'boolean'; readonly path: string; readonly description: string; readonly read: Read<boolean> }
  | { readonly type: 'string'; readonly path: string; readonly description: string; readonly read: Read<string> }
  | { readonly type: 'integer'; readonly path: string; readonly description: string; readonly read: Read<number> }
  | {
      readonly type: 'string[]';
      readonly path: string;
      readonly description: string;
      /** A reader of its own, because it remembers the last list: conditions on one list share one array of strings. */
      readonly createReader: () => Read<readonly string[]>;
    };

/** A field of one type. */
export type FieldOf<Type extends FieldType> = Extract<Field, { type: Type }>;

const boolean = (path: string, description: string, read: Read<boolean>): Field => ({
  type: 'boolean',
  path,
  description,
  read,
});

const string = (path: string, description: string, read: Read<string>): Field => ({
  type: 'string',
  path,
  description,
  read,
});

const integer = (path: string, description: string, read: Read<number>): Field => ({
  type: 'integer',
  path,
  description,
  read,
});

function list<T>(path: string, description: string, items: Read<readonly T[]>, element: (item: T) => string): Field {
  const createReader = (): Read<readonly string[]> => {
    let last: readonly T[] | null = null;
    let strings: readonly string[] = [];
    return (signals) => {
      const current = items(signals);
      if (current === null) return null;
      if (current !== last) {
        last = current;
        strings = current.map(element);
      }
      return strings;
    };
  };
  return { type: 'string[]', path, description, createReader };
}

const emailFields: readonly Field[] = [
  string('email.address', 'The address as submitted.', (s) => s.email?.address ?? null),
  string(
    'email.normalized',
    'The canonical form of the address: tags and provider aliases removed.',
    (s) => s.email?.normalized ?? null,
  ),
  string('email.local_part', 'What stands before the @, the tag included.', (s) => s.email?.localPart ?? null),
  integer('email.local_part_length', 'The length of the local part.', (s) => s.email?.localPartLength ?? null),
  string(
    'email.subaddress',
    'The tag after the first + of the local part; unknown when there is none.',
    (s) => s.email?.subaddress ?? null,
  ),
  boolean(
    'email.disposable',
    'This very address is known as disposable, whatever its domain.',
    (s) => s.email?.disposable ?? null,
  ),
  boolean(
    'email.role_account',
    'The address stands for a function or a team (info@, support@).',
    (s) => s.email?.roleAccount ?? null,
  ),
];

const domainFields: readonly Field[] = [
  string('domain.name', 'The domain, lower case, in ASCII.', (s) => s.domain.name),
  string('domain.registrable', 'The registrable domain (example.co.uk).', (s) => s.domain.registrable),
  string('domain.tld', 'The public suffix (co.uk).', (s) => s.domain.tld),
  string('domain.sld', 'The label before the public suffix.', (s) => s.domain.sld),
  string(
    'domain.subdomain',
    'What stands before the registrable domain; unknown when there is nothing.',
    (s) => s.domain.subdomain,
  ),
  integer('domain.domain_authority', 'How established the domain is, 0 to 100.', (s) => s.domain.domainAuthority),
  integer('domain.tld_trust', 'How strict the TLD is about its registrants, 1 to 5.', (s) => s.domain.tldTrust),
  integer('domain.age_days', 'Whole days since the domain was registered.', (s) => s.domain.ageDays),
  boolean('domain.mx', 'The domain has valid MX records.', (s) => s.domain.mx),
  list(
    'domain.mx_records.*.hostname',
    'The host names of the MX records.',
    (s) => s.domain.mxRecords,
    (record) => record.hostname,
  ),
  list(
    'domain.mx_providers.*.slug',
    'The services that handle the mail of the domain (google, microsoft).',
    (s) => s.domain.mxProviders,
    (provider) => provider.slug,
  ),
  list(
    'domain.mx_providers.*.type',
    'The kinds of these services: mailbox, hosting, email_api, security_gateway, forwarding.',
    (s) => s.domain.mxProviders,
    (provider) => provider.type,
  ),
  list(
    'domain.mx_providers.*.grade',
    'The grades of these services: enterprise, professional, standard, basic.',
    (s) => s.domain.mxProviders,
    (provider) => provider.grade,
  ),
  string('domain.spf', 'strict, relaxed, neutral, permissive, missing or invalid.', (s) => s.domain.spf),
  string('domain.dmarc', 'reject, quarantine, none, missing or invalid.', (s) => s.domain.dmarc),
  boolean('domain.disposable', 'The domain belongs to a disposable-email service.', (s) => s.domain.disposable),
  string(
    'domain.disposable_provider',
    'The service that operates the disposable domain.',
    (s) => s.domain.disposableProvider,
  ),
  boolean('domain.public_domain', 'Anyone can open a mailbox at this domain.', (s) => s.domain.publicDomain),
  boolean('domain.relay_domain', 'The domain forwards to hidden mailboxes.', (s) => s.domain.relayDomain),
  boolean(
    'domain.free_subdomain',
    'The domain is a tenant of a free-subdomain or dynamic DNS service.',
    (s) => s.domain.freeSubdomain,
  ),
  boolean('domain.spam', 'The domain is associated with spam or abuse.', (s) => s.domain.spam),
  string(
    'domain.did_you_mean',
    'The well-known domain this one looks like a misspelling of; unknown when there is none.',
    (s) => s.domain.didYouMean,
  ),
  boolean('domain.blocklisted', 'The domain is on your blocklist.', (s) => s.domain.blocklisted),
];

const ipFields: readonly Field[] = [
  string('ip.address', 'The IP address.', (s) => s.ip?.address ?? null),
  boolean('ip.abuse.detected', 'The address is known for abuse.', (s) => s.ip?.abuse.detected ?? null),
  boolean(
    'ip.anonymity.proxy.detected',
    'The address belongs to a proxy.',
    (s) => s.ip?.anonymity.proxy.detected ?? null,
  ),
  boolean(
    'ip.anonymity.relay.detected',
    'The address belongs to a privacy relay.',
    (s) => s.ip?.anonymity.relay.detected ?? null,
  ),
  boolean('ip.anonymity.tor.detected', 'The address is a Tor exit.', (s) => s.ip?.anonymity.tor.detected ?? null),
  boolean('ip.anonymity.vpn.detected', 'The address belongs to a VPN.', (s) => s.ip?.anonymity.vpn.detected ?? null),
  boolean('ip.hosting.detected', 'The address belongs to a hosting network.', (s) => s.ip?.hosting.detected ?? null),
  string('ip.geo.country', 'The name of the country.', (s) => s.ip?.geo.country ?? null),
  string('ip.geo.country_code', 'The two-letter code of the country.', (s) => s.ip?.geo.countryCode ?? null),
  string('ip.geo.continent', 'The name of the continent.', (s) => s.ip?.geo.continent ?? null),
  string('ip.geo.continent_code', 'The two-letter code of the continent.', (s) => s.ip?.geo.continentCode ?? null),
  string('ip.geo.city', 'The name of the city.', (s) => s.ip?.geo.city ?? null),
  integer('ip.network.asn', 'The number of the autonomous system.', (s) => s.ip?.network.asn ?? null),
  string('ip.network.aso', 'The organisation that runs the autonomous system.', (s) => s.ip?.network.aso ?? null),
  string('ip.network.domain', 'The domain of that organisation.', (s) => s.ip?.network.domain ?? null),
  string('ip.network.type', 'The kind of network.', (s) => s.ip?.network.type ?? null),
];

/** Every field a condition can name, in the order the documentation shows them. */
export const fields: readonly Field[] = [...emailFields, ...domainFields, ...ipFields];

const fieldsByPath: ReadonlyMap<string, Field> = new Map(fields.map((field) => [field.path, field]));

/** The field with that path, if there is one. */
export function findField(path: string): Field | undefined {
  return fieldsByPath.get(path);
}

/** What `GET /v1/fields` and the rule editor show of a field. */
export interface FieldEntry {
  readonly path: string;
  readonly type: FieldType;
  readonly operators: readonly Operator[];
  readonly description: string;
}

/** The catalogue of condition fields. */
export function fieldCatalogue(): FieldEntry[] {
  return fields.map(({ path, type, description }) => ({ path, type, operators: operatorsByType[type], description }));
}
