/** The location of an address in a database. */
export interface IpPlace {
  readonly countryCode: string | null;
  readonly continentCode: string | null;
  /** In English. */
  readonly city: string | null;
}

/** The network of an address in a database. */
export interface IpNetwork {
  readonly asn: number | null;
  readonly aso: string | null;
  readonly domain: string | null;
}

const nowhere: IpPlace = Object.freeze({ countryCode: null, continentCode: null, city: null });
const noNetwork: IpNetwork = Object.freeze({ asn: null, aso: null, domain: null });

/**
 * The place in a record: MaxMind's layout and DB-IP's (`country.iso_code`, `city.names.en`), or the flat one of
 * smaller databases (`country_code`, `city`).
 */
export function placeOf(record: unknown): IpPlace {
  if (record === null) return nowhere;
  const country = field(record, 'country');
  const continent = field(record, 'continent');
  const city = field(record, 'city');
  return {
    countryCode: code(field(country, 'iso_code')) ?? code(field(record, 'country_code')) ?? code(country),
    continentCode: code(field(continent, 'code')) ?? code(field(record, 'continent_code')),
    city: text(field(field(city, 'names'), 'en')) ?? text(city),
  };
}

/**
 * The network in a record: `autonomous_system_number` and `…_organization` at the top (GeoLite ASN, GeoIP ISP, DB-IP
 * ASN Lite) or below `traits` (the databases that hold everything), or `asn`, `as_name`, `as_domain` (IPinfo).
 */
export function networkOf(record: unknown): IpNetwork {
  if (record === null) return noNetwork;
  const traits = field(record, 'traits');
  const either = (name: string): unknown => field(record, name) ?? field(traits, name);
  return {
    asn: number(either('autonomous_system_number')) ?? number(field(record, 'asn')),
    aso: text(either('autonomous_system_organization')) ?? text(field(record, 'as_name')),
    domain: (text(either('domain')) ?? text(field(record, 'as_domain')))?.toLowerCase() ?? null,
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Two letters; some databases write ZZ for unknown. */
function code(value: unknown): string | null {
  if (typeof value !== 'string' || !/^[a-z]{2}$/i.test(value)) return null;
  const upper = value.toUpperCase();
  return upper === 'ZZ' ? null : upper;
}

/** A number from 1 to 2^32-1 (RFC 6793); 0 means no network (RFC 7607). */
function number(value: unknown): number | null {
  const asn = typeof value === 'string' ? Number(/^(?:AS)?([0-9]{1,10})$/i.exec(value)?.[1]) : value;
  return typeof asn === 'number' && Number.isInteger(asn) && asn > 0 && asn < 2 ** 32 ? asn : null;
}
