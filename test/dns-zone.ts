import * as dnsPacket from 'dns-packet';

/** The records of one name. A TXT record of several character-strings is an array. */
export interface ZoneRecords {
  readonly MX?: readonly (readonly [priority: number, hostname: string])[];
  readonly TXT?: readonly (string | readonly string[])[];
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
  readonly CNAME?: string;
  /** The name is a zone: a query for its SOA is answered. */
  readonly isZone?: boolean;
  /** The SOA of negative answers at this name and below; null leaves it out. */
  readonly SOA?: { readonly ttl: number; readonly minimum: number } | null;
  /** Seconds, for every record of the name. */
  readonly TTL?: number;
}

/** Names (lower case) and their records. A name with no records exists and has no data. */
export type DnsZone = Readonly<Record<string, ZoneRecords>>;

/** Names that every honest resolver knows. */
const topLevel: DnsZone = { com: { isZone: true }, net: { isZone: true }, org: { isZone: true } };

/** A zone with the top-level domains that the service probes servers with. */
export function withTopLevel(zone: DnsZone): DnsZone {
  return { ...topLevel, ...zone };
}

const DEFAULT_TTL = 300;
const NAME_ERROR = 3;

/** The answer of a recursive server to which this zone is the whole DNS. */
export function zoneResponse(zone: DnsZone, asked: dnsPacket.DecodedPacket): dnsPacket.Packet {
  const { id, questions } = asked;
  const question = questions?.[0];
  const flags = dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE;
  if (question === undefined) return { type: 'response', id, flags };
  const answers: dnsPacket.Answer[] = [];
  let name = question.name;
  for (let hops = 0; hops < 16; hops++) {
    const alias = recordsAt(zone, name)?.CNAME;
    if (alias === undefined) break;
    answers.push({ type: 'CNAME', name, ttl: recordsAt(zone, name)?.TTL ?? DEFAULT_TTL, data: alias });
    name = alias;
  }
  const found = answersAt(zone, name, question.type);
  const authorities = found.length > 0 ? [] : soaFor(zone, name);
  const rcode = exists(zone, name) ? 0 : NAME_ERROR;
  return { type: 'response', id, flags: flags | rcode, questions, answers: [...answers, ...found], authorities };
}

function recordsAt(zone: DnsZone, name: string): ZoneRecords | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(zone, key) ? zone[key] : undefined;
}

/** A name with names below it exists, even without records (RFC 8020). */
function exists(zone: DnsZone, name: string): boolean {
  const below = `.${name.toLowerCase()}`;
  return recordsAt(zone, name) !== undefined || Object.keys(zone).some((key) => key.endsWith(below));
}

function answersAt(zone: DnsZone, name: string, type: string): dnsPacket.Answer[] {
  const records = recordsAt(zone, name);
  const ttl = records?.TTL ?? DEFAULT_TTL;
  switch (type) {
    case 'MX':
      return (records?.MX ?? []).map(([preference, exchange]) => ({ type, name, ttl, data: { preference, exchange } }));
    case 'TXT':
      return (records?.TXT ?? []).map((text) => ({ type, name, ttl, data: characterStrings(text) }));
    case 'SOA':
      return records?.isZone === true ? [startOfAuthority(name, DEFAULT_TTL, DEFAULT_TTL)] : [];
    case 'A':
    case 'AAAA':
      return (records?.[type] ?? []).map((data) => ({ type, name, ttl, data }));
    default:
      return [];
  }
}

/** A text longer than 255 bytes is split, as every publisher must. */
function characterStrings(text: string | readonly string[]): Buffer[] {
  if (typeof text !== 'string') return text.map((part) => Buffer.from(part));
  const bytes = Buffer.from(text);
  const parts = [bytes.subarray(0, 255)];
  for (let at = 255; at < bytes.length; at += 255) parts.push(bytes.subarray(at, at + 255));
  return parts;
}

function soaFor(zone: DnsZone, name: string): dnsPacket.Answer[] {
  const labels = name.toLowerCase().split('.');
  const owners = labels.map((_, index) => labels.slice(index).join('.'));
  const owner = owners.find((candidate) => recordsAt(zone, candidate)?.SOA !== undefined);
  const soa = owner === undefined ? { ttl: DEFAULT_TTL, minimum: DEFAULT_TTL } : recordsAt(zone, owner)?.SOA;
  if (soa === null || soa === undefined) return [];
  return [startOfAuthority(owner ?? labels.at(-1) ?? '.', soa.ttl, soa.minimum)];
}

function startOfAuthority(name: string, ttl: number, minimum: number): dnsPacket.Answer {
  const data = { mname: 'ns.test', rname: 'hostmaster.test', serial: 1, refresh: 1, retry: 1, expire: 1 };
  return { type: 'SOA', name, ttl, data: { ...data, minimum } };
}
