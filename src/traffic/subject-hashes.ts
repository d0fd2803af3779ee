import { createHmac } from 'node:crypto';
import type { IpAddress } from '../address/ip.ts';
import type { Owner } from '../http/endpoint.ts';
import { createAttachment } from '../platform/attachment.ts';
import { createKeyedHash, type Hash, ownedHash } from './keyed-hash.ts';

/** The keyed hashes of counted values; each is different under another owner. */
export interface SubjectHashes {
  ofOwner(owner: Owner): Hash;
  of(owner: Hash, text: string): Hash;
  /** The IP address, of IPv6 its /64. */
  ofIp(owner: Hash, ip: IpAddress): Hash;
  /** The /24 of the IP address, of IPv6 its /48. */
  ofNetwork(owner: Hash, ip: IpAddress): Hash;
  /** The /20 of the IP address, of IPv6 its /32. */
  ofWideNetwork(owner: Hash, ip: IpAddress): Hash;
}

/** The same secret gives the same hashes in every process. */
export function createSubjectHashes(secret: string): SubjectHashes {
  const hash = createKeyedHash(createHmac('sha256', secret).update('traffic counts').digest());
  const attached = createAttachment<Hash>();
  const of = (owner: Hash, text: string): Hash => ownedHash(hash(text), owner);
  return {
    ofOwner(owner) {
      const known = attached.of(owner);
      if (known !== undefined) return known;
      const made = hash(`${owner.accountId}/${owner.environment}`);
      attached.put(owner, made);
      return made;
    },
    of,
    ofIp: (owner, ip) => of(owner, ip.version === 4 ? ip.text : prefixText(ip, 8)),
    ofNetwork: (owner, ip) =>
      of(owner, ip.version === 4 ? ip.text.slice(0, ip.text.lastIndexOf('.')) : prefixText(ip, 6)),
    ofWideNetwork: (owner, ip) => of(owner, `wide ${wideText(ip)}`),
  };
}

function prefixText({ bytes }: IpAddress, octets: number): string {
  return String.fromCharCode(...bytes.subarray(0, octets));
}

/** 20 bits of IPv4, 32 bits of IPv6. */
function wideText(ip: IpAddress): string {
  const [first = 0, second = 0, third = 0] = ip.bytes;
  return ip.version === 4 ? String.fromCharCode(first, second, third >> 4) : prefixText(ip, 4);
}
