import { type Domain, parseDomain } from '../../src/address/domain.ts';
import type { DnsAnswer, DnsSource, MxRecord } from '../../src/mail/dns-source.ts';

/** The records of one name; a TXT record may be given as the character-strings it is split into. */
export interface ZoneRecords {
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
  readonly MX?: readonly (readonly [priority: number, hostname: string])[];
  readonly TXT?: readonly (string | readonly string[])[];
}

/** Records by name, lower case. A name that is not here, and has none below it, does not exist. */
export type Zone = Readonly<Record<string, ZoneRecords>>;

/** A zone, and its names without a response. */
export interface MailZone {
  readonly zone: Zone;
  /** Names whose queries get SERVFAIL. */
  readonly servfail?: readonly string[];
  /** Names whose queries get no response. */
  readonly silent?: readonly string[];
}

/** A domain in a zone, and the expected value of a signal; null when it is unknown. */
export interface MailCase<T> extends MailZone {
  readonly name: string;
  /** The section of the RFC, or `decision` where the service defines the result. */
  readonly rfc: string;
  readonly domain: string;
  readonly expected: T | null;
}

/** The domain a case is about. */
export function caseDomain(text: string): Domain {
  const domain = parseDomain(text);
  if (domain === null) throw new Error(`${text} is not a domain`);
  return domain;
}

/** A DNS source that answers from a zone and records every query as `TYPE name`. */
export interface ZoneDns extends DnsSource {
  readonly questions: string[];
}

/** Answers queries from a zone in memory, as a resolver would. */
export function createZoneDns({ zone, servfail = [], silent = [] }: MailZone): ZoneDns {
  const questions: string[] = [];
  function answer<T>(type: string, name: string, pick: (records: ZoneRecords) => readonly T[] | undefined) {
    questions.push(`${type} ${name}`);
    if (servfail.includes(name)) return { kind: 'failed', reason: 'servfail' } satisfies DnsAnswer<T>;
    if (silent.includes(name)) return { kind: 'failed', reason: 'timeout' } satisfies DnsAnswer<T>;
    const records = pick(zone[name] ?? {}) ?? [];
    if (records.length > 0) return { kind: 'records', records } satisfies DnsAnswer<T>;
    // RFC 8020: a name with names below it exists, even without records.
    const exists = Object.keys(zone).some((owner) => owner === name || owner.endsWith(`.${name}`));
    return { kind: 'none', missing: exists ? 'type' : 'name' } satisfies DnsAnswer<T>;
  }
  return {
    questions,
    mx: (name) => answer('MX', name, (records) => records.MX?.map(toMxRecord)),
    txt: (name) =>
      Promise.resolve(answer('TXT', name, (records) => records.TXT?.map((text) => [text].flat().join('')))),
    a: (name) => Promise.resolve(answer('A', name, (records) => records.A)),
    aaaa: (name) => Promise.resolve(answer('AAAA', name, (records) => records.AAAA)),
  };
}

function toMxRecord([priority, hostname]: readonly [number, string]): MxRecord {
  return { priority, hostname: (hostname.endsWith('.') ? hostname.slice(0, -1) : hostname).toLowerCase() };
}
