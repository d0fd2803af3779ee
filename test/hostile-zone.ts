import * as dnsPacket from 'dns-packet';
import { zoneResponse } from './dns-zone.ts';

/** How long each host name is. */
export const hostLength = 237;
const suffix = [63, 63, 63, 40].map((length) => 'x'.repeat(length));

/**
 * The answers of a zone that tries to fill memory and disk: 1,000 mail hosts of 237 characters for every name below `under`, packed
 * into one message by pointers (RFC 1035 section 4.1.4); it denies every other name.
 */
export function hostileZone(under: string): (query: Buffer) => Buffer[] {
  return (query) => {
    const asked = dnsPacket.decode(query);
    const question = asked.questions?.[0];
    if (question?.type !== 'MX' || !question.name.endsWith(`.${under}`)) {
      return [dnsPacket.encode(zoneResponse({}, asked))];
    }
    const head = dnsPacket.encode({ type: 'response', id: asked.id, flags, questions: asked.questions });
    head.writeUInt16BE(1_000, 6);
    const body = bodies.get(head.length) ?? Buffer.concat(records(head.length));
    bodies.set(head.length, body);
    return [Buffer.concat([head, body])];
  };
}

/** Builds the records with their offsets: pointers count from the start of the message. */
const bodies = new Map<number, Buffer>();

const flags = dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE;

function records(startsAt: number): Buffer[] {
  // Behind owner, type, class, TTL, length and preference of the first record, and its first label.
  const suffixAt = startsAt + 14 + 5;
  const pointer = Buffer.from([0xc0 | (suffixAt >> 8), suffixAt & 0xff]);
  const spelled = Buffer.concat([...suffix.map(label), Buffer.from([0])]);
  return Array.from({ length: 1_000 }, (_, index) => {
    const first = label(`h${String(index).padStart(3, '0')}`);
    const host = Buffer.concat([first, index === 0 ? spelled : pointer]);
    const fixed = Buffer.from([0xc0, 12, 0, 15, 0, 1, 0, 0, 1, 44, 0, 0, 0, 10]);
    fixed.writeUInt16BE(host.length + 2, 10);
    return Buffer.concat([fixed, host]);
  });
}

function label(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
}
