import * as dnsPacket from 'dns-packet';
import { type DnsZone, zoneResponse } from './dns-zone.ts';

/** How the server treats queries for a name. A function returns the raw replies itself. */
export type DnsBehaviour =
  | 'normal'
  | 'silent'
  | 'servfail'
  | 'refused'
  /** Bytes that are not a DNS message. */
  | 'broken'
  /** Truncated over UDP, complete over TCP. */
  | 'truncated'
  /** Every second packet is lost, the first one first. */
  | 'half-lost'
  /** Only a forged answer; the name says what is wrong with it. */
  | 'wrong-id'
  | 'wrong-question'
  | 'wrong-source'
  /** The true answer with records of other names in front and behind. */
  | 'foreign-records'
  /** Every forgery above, then the true answer. */
  | 'lying'
  /** FORMERR to a query with EDNS. */
  | 'no-edns'
  /** Only the first CNAME of the chain. */
  | 'alias-only'
  /** The answer of a server that does not recurse. */
  | 'referral'
  /** Denies the name, whatever the zone says, as resolvers without the internet do. */
  | 'denying'
  /** Denies every second query, the first one first, as servers behind one address do of which one lost the internet. */
  | 'half-denying'
  /** Has records for every name, as resolvers that monetise typing errors do. */
  | 'inventing'
  | { readonly slowMs: number }
  | ((query: Buffer, fromPort: number) => readonly Buffer[]);

/** The host in a forged answer, for tests to look for. */
export const FORGED_HOST = 'attacker.test';
/** The address in a forged answer. */
export const FORGED_ADDRESS = '203.0.113.66';

/** One reply packet, immediate or delayed, from the server's port or another one. */
export interface Reply {
  readonly bytes: Buffer;
  readonly afterMs?: number;
  readonly fromElsewhere?: boolean;
}

/** The server's replies to one query, for a behaviour. */
export function replies(
  behaviour: DnsBehaviour,
  query: Buffer,
  fromPort: number,
  asked: dnsPacket.DecodedPacket,
  zone: DnsZone,
  overTcp: boolean,
): readonly Reply[] {
  if (typeof behaviour === 'function') return behaviour(query, fromPort).map((bytes) => ({ bytes }));
  const truth = zoneResponse(zone, asked);
  const whole = { bytes: fit(truth, asked, overTcp) };
  if (typeof behaviour === 'object') return [{ ...whole, afterMs: behaviour.slowMs }];
  const hasEdns = asked.additionals?.some((record) => record.type === 'OPT');
  switch (behaviour) {
    case 'silent':
      return [];
    case 'servfail':
      return [{ bytes: withCode(asked, 2) }];
    case 'refused':
      return [{ bytes: withCode(asked, 5) }];
    case 'broken':
      return [
        { bytes: Buffer.from('this is not a DNS message') },
        { bytes: query.subarray(0, 2) },
        { bytes: Buffer.alloc(0) },
      ];
    case 'truncated':
      return overTcp ? [whole] : [{ bytes: truncated(truth) }];
    case 'no-edns':
      return hasEdns ? [{ bytes: withCode(asked, 1) }] : [whole];
    case 'alias-only':
      return [{ bytes: dnsPacket.encode({ ...truth, answers: truth.answers?.slice(0, 1), authorities: [] }) }];
    case 'referral':
      return [{ bytes: referral(asked) }];
    case 'denying':
      return [{ bytes: dnsPacket.encode(zoneResponse({}, asked)) }];
    case 'inventing':
      return [
        { bytes: dnsPacket.encode({ ...truth, flags: RESPONSE_FLAGS, answers: invented(asked), authorities: [] }) },
      ];
    case 'foreign-records':
      return [{ bytes: dnsPacket.encode(withForeignRecords(truth, asked)) }];
    case 'wrong-id':
    case 'wrong-question':
    case 'wrong-source':
      return [forgeries(asked)[behaviour]];
    case 'lying':
      return [...Object.values(forgeries(asked)), { bytes: dnsPacket.encode(withForeignRecords(truth, asked)) }];
    default:
      return [whole];
  }
}

const RESPONSE_FLAGS = dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE;

function withCode(asked: dnsPacket.DecodedPacket, rcode: number): Buffer {
  const { id, questions } = asked;
  return dnsPacket.encode({ type: 'response', id, flags: RESPONSE_FLAGS | rcode, questions });
}

function truncated(truth: dnsPacket.Packet): Buffer {
  const flags = (truth.flags ?? 0) | dnsPacket.TRUNCATED_RESPONSE;
  return dnsPacket.encode({ ...truth, flags, answers: [], authorities: [] });
}

/** An answer that exceeds the client's UDP size is truncated (RFC 6891 section 6.2.5; 512 bytes without EDNS). */
function fit(truth: dnsPacket.Packet, asked: dnsPacket.DecodedPacket, overTcp: boolean): Buffer {
  const bytes = dnsPacket.encode(truth);
  const opt = asked.additionals?.find((record) => record.type === 'OPT');
  const maxBytes = opt?.type === 'OPT' ? opt.udpPayloadSize : 512;
  return overTcp || bytes.length <= maxBytes ? bytes : truncated(truth);
}

function referral(asked: dnsPacket.DecodedPacket): Buffer {
  const { id, questions } = asked;
  const authorities: dnsPacket.Answer[] = [{ type: 'NS', name: 'test', ttl: 300, data: 'ns.test' }];
  return dnsPacket.encode({ type: 'response', id, flags: 0, questions, authorities });
}

function forgedRecords(name: string): dnsPacket.Answer[] {
  return [
    { type: 'MX', name, ttl: 300, data: { preference: 1, exchange: FORGED_HOST } },
    { type: 'TXT', name, ttl: 300, data: FORGED_HOST },
    { type: 'A', name, ttl: 300, data: FORGED_ADDRESS },
  ];
}

function invented({ questions }: dnsPacket.DecodedPacket): dnsPacket.Answer[] {
  return forgedRecords(questions?.[0]?.name ?? '').filter(({ type }) => type === questions?.[0]?.type);
}

function forgeries(asked: dnsPacket.DecodedPacket) {
  const { id = 0, questions } = asked;
  const name = questions?.[0]?.name ?? '';
  const type = questions?.[0]?.type ?? 'A';
  const packet = { type: 'response', id, flags: RESPONSE_FLAGS, questions, answers: forgedRecords(name) } as const;
  return {
    'wrong-id': { bytes: dnsPacket.encode({ ...packet, id: (id + 1) % 65_536 }) },
    'wrong-question': { bytes: dnsPacket.encode({ ...packet, questions: [{ name: FORGED_HOST, type }] }) },
    'wrong-source': { bytes: dnsPacket.encode(packet), fromElsewhere: true },
  };
}

function withForeignRecords(truth: dnsPacket.Packet, asked: dnsPacket.DecodedPacket): dnsPacket.Packet {
  const name = asked.questions?.[0]?.name ?? '';
  const foreign = [...forgedRecords(FORGED_HOST), ...forgedRecords(`sub.${name}`), ...forgedRecords(name.slice(1))];
  return { ...truth, answers: [...foreign, ...(truth.answers ?? []), ...foreign], additionals: forgedRecords(name) };
}
