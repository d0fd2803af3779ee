import * as dnsPacket from 'dns-packet';
import { type AskedQuestion, asciiLowerCase } from './dns-question.ts';

/** A DNS response to the question. A truncated one has no records. */
export interface Response {
  /** With the upper bits of EDNS (RFC 6891 section 6.1.3). */
  readonly rcode: number;
  readonly truncated: boolean;
  readonly authoritative: boolean;
  readonly recursive: boolean;
  readonly answers: readonly dnsPacket.Answer[];
  readonly authorities: readonly dnsPacket.Answer[];
}

/** The response codes that this service distinguishes (RFC 1035 section 4.1.1, RFC 6891 section 9). */
export const rcodes = {
  noError: 0,
  formatError: 1,
  serverFailure: 2,
  nameError: 3,
  refused: 5,
  badVersion: 16,
} as const;

const HEADER_BYTES = 12;
const UDP_PAYLOAD_BYTES = 1232;
const MAX_RECORDS = 1_000;
const MAX_JUMPS = 32;
const TYPE_A = 1;
const TYPE_CNAME = 5;
const TYPE_MX = 15;
const TYPE_AAAA = 28;
const TYPE_OPT = 41;

/** The bytes of a recursive question; with EDNS it invites answers of up to 1,232 bytes, which no path fragments. */
export function encodeQuestion(id: number, question: AskedQuestion, edns: boolean): Buffer {
  const opt: dnsPacket.OptAnswer = {
    type: 'OPT',
    name: '.',
    udpPayloadSize: UDP_PAYLOAD_BYTES,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
  return dnsPacket.encode({
    type: 'query',
    id,
    flags: dnsPacket.RECURSION_DESIRED,
    questions: [{ type: question.type, name: question.name, class: 'IN' }],
    additionals: edns ? [opt] : [],
  });
}

/** The response in these bytes when it answers this id and question; null for anything else, however malformed. */
export function readResponse(bytes: Buffer, id: number, question: AskedQuestion): Response | null {
  if (bytes.length < HEADER_BYTES || bytes.readUInt16BE(0) !== id) return null;
  const flags = bytes.readUInt16BE(2);
  const isResponseToQuery = (flags & 0xf800) === 0x8000;
  if (!isResponseToQuery) return null;
  const head = {
    rcode: flags & 0xf,
    truncated: (flags & 0x0200) !== 0,
    authoritative: (flags & 0x0400) !== 0,
    recursive: (flags & 0x0080) !== 0,
    answers: [],
    authorities: [],
  };
  const questions = bytes.readUInt16BE(4);
  // A server that could not read the question may be unable to repeat it.
  if (questions === 0 && head.rcode === rcodes.formatError) return head;
  if (questions !== 1) return null;
  const asked = decodeSections(bytes, 0, 0);
  if (asked === null || !repeats(asked.packet, question)) return null;
  if (head.truncated) return head;
  return readRecords(bytes, asked.end, head);
}

function repeats(packet: dnsPacket.DecodedPacket, question: AskedQuestion): boolean {
  const repeated = packet.questions?.[0];
  return (
    repeated !== undefined &&
    asciiLowerCase(repeated.name) === question.name &&
    repeated.type === question.type &&
    repeated.class === 'IN'
  );
}

function readRecords(bytes: Buffer, start: number, head: Response): Response | null {
  const answers = bytes.readUInt16BE(6);
  const authorities = bytes.readUInt16BE(8);
  const additionals = bytes.readUInt16BE(10);
  if (answers + authorities + additionals > MAX_RECORDS) return null;
  const scan = scanRecords(bytes, start, answers + authorities, additionals);
  if (scan === null) return null;
  const decoded = decodeSections(bytes, answers, authorities);
  // dns-packet advances by the bytes it read, not by the length a record states: a difference means that the record is malformed.
  if (decoded === null || decoded.end !== scan.end) return null;
  return {
    ...head,
    rcode: (scan.extendedRcode << 4) | head.rcode,
    answers: (decoded.packet.answers ?? []).map((record, index) => withHost(record, scan.dottedHosts.get(index))),
    authorities: decoded.packet.authorities ?? [],
  };
}

/** Decodes the question and as many records; the additional section is left out, as nothing in it is used. */
function decodeSections(bytes: Buffer, answers: number, authorities: number) {
  const copy = Buffer.from(bytes);
  copy.writeUInt16BE(answers, 6);
  copy.writeUInt16BE(authorities, 8);
  copy.writeUInt16BE(0, 10);
  try {
    const packet = dnsPacket.decode(copy);
    return { packet, end: dnsPacket.decode.bytes };
  } catch {
    // dns-packet throws on malformed bytes. Anyone can send those, so this is no error: they are not a response.
    return null;
  }
}

/** dns-packet joins labels with dots, so a dot inside a label would look like a separator. */
function withHost(record: dnsPacket.Answer, host: string | undefined): dnsPacket.Answer {
  return host === undefined || record.type !== 'MX' ? record : { ...record, data: { ...record.data, exchange: host } };
}

/** Walks over the records without decoding them; null when they do not fit their own lengths. */
function scanRecords(bytes: Buffer, start: number, wanted: number, additionals: number) {
  let at = start;
  let end = start;
  let extendedRcode = 0;
  const dottedHosts = new Map<number, string>();
  for (let index = 0; index < wanted + additionals; index++) {
    at = endOfName(bytes, at);
    if (at === -1 || at + 10 > bytes.length) return null;
    const type = bytes.readUInt16BE(at);
    const dataBytes = bytes.readUInt16BE(at + 8);
    if (type === TYPE_OPT) extendedRcode = bytes.readUInt8(at + 4);
    const dataAt = at + 10;
    at = dataAt + dataBytes;
    if (at > bytes.length) return null;
    if ((type === TYPE_A && dataBytes !== 4) || (type === TYPE_AAAA && dataBytes !== 16)) return null;
    if (type === TYPE_CNAME && endOfName(bytes, dataAt) === -1) return null;
    if (type === TYPE_MX && endOfName(bytes, dataAt + 2) === -1) {
      const host = escapedName(bytes, dataAt + 2);
      if (host === null) return null;
      dottedHosts.set(index, host);
    }
    if (index < wanted) end = at;
  }
  return { end, extendedRcode, dottedHosts };
}

/** A name as text, with a dot inside a label written `\.` (RFC 1035 section 5.1); null when it is malformed. */
function escapedName(bytes: Buffer, start: number): string | null {
  const labels: string[] = [];
  const end = endOfName(bytes, start, (label) => labels.push(label.toString('latin1').replaceAll('.', '\\.')));
  return end === -1 ? null : labels.join('.');
}

/**
 * Where a name ends, or -1 when it is malformed. Unless its labels are read, one that contains a dot is refused: written as
 * text, `www\.victim.example` could not be told from `www.victim.example`. Pointers only lead back (RFC 1035 section 4.1.4).
 */
function endOfName(bytes: Buffer, start: number, read?: (label: Buffer) => void): number {
  let at = start;
  let end = -1;
  let lowest = start;
  let jumps = 0;
  for (;;) {
    const length = bytes[at];
    if (length === undefined) return -1;
    if (length === 0) return end === -1 ? at + 1 : end;
    if (length >= 0xc0) {
      const low = bytes[at + 1];
      const target = low === undefined ? lowest : ((length & 0x3f) << 8) | low;
      if (target >= lowest || ++jumps > MAX_JUMPS) return -1;
      if (end === -1) end = at + 2;
      at = target;
      lowest = target;
    } else {
      const next = at + 1 + length;
      if (length > 63 || next > bytes.length) return -1;
      const label = bytes.subarray(at + 1, next);
      if (read !== undefined) read(label);
      else if (label.includes(0x2e)) return -1;
      at = next;
    }
  }
}
