import { createHmac } from 'node:crypto';
import { foldCase } from '../../address/normalize.ts';
import type { Owner } from '../../http/endpoint.ts';

/** The forms in which the log keeps and finds addresses and IP addresses; domains are in ASCII. */
export interface AddressKeys {
  /** The form in which new entries keep it. */
  keyOf(localPart: string, domain: string): string;
  /** Every form in which an entry may have kept it: setting and secret may have been different. */
  all(localPart: string, domain: string): readonly string[];
  /** The form of an IP address in new entries. */
  ipKeyOf(ip: string): string;
  /** Every form under which an entry may have kept an IP address. */
  allIps(ip: string): readonly string[];
  /** Every form under which an entry may have kept another text, such as a normalised address. */
  allTexts(text: string): readonly string[];
  /** The hash of a device; each environment has its own. */
  deviceKeyOf(owner: Owner, device: string): string;
  /** Every hash under which an entry may have kept a device. */
  allDevices(owner: Owner, device: string): readonly string[];
  /** The keyed hash of a text. */
  hash(text: string): string;
  /** Entries keep the hash alone. */
  readonly hashed: boolean;
}

const hashPrefix = 'hmac:';

/** Enough digits that no two devices of an environment share a key, and no more: random digits do not compress. */
const deviceKeyDigits = 16;
const shownDigits = 12;

/** A device as the log, exports and waves show it. */
export const shownDevice = (deviceKey: string | null): string | null => deviceKey?.slice(0, shownDigits) ?? null;

/** Addresses in plain text, or as HMAC-SHA-256 under the first of the secrets; the others are those of earlier entries. */
export function createAddressKeys(mode: 'plain' | 'hashed', secrets: readonly [string, ...string[]]): AddressKeys {
  const hashed = mode === 'hashed';
  const hashWith = (secret: string, text: string): string =>
    `${hashPrefix}${createHmac('sha256', secret).update(text).digest('hex')}`;
  const hash = (text: string): string => hashWith(secrets[0], text);
  const forms = (text: string): string[] => [text, ...secrets.map((secret) => hashWith(secret, text))];
  const keyOf = (text: string): string => (hashed ? hash(text) : text);
  const deviceHash = (secret: string, { accountId, environment }: Owner, device: string): string =>
    createHmac('sha256', secret)
      .update(`device ${accountId}/${environment} ${device}`)
      .digest('hex')
      .slice(0, deviceKeyDigits);
  return {
    keyOf: (localPart, domain) => keyOf(plainKey(localPart, domain)),
    all: (localPart, domain) => forms(plainKey(localPart, domain)),
    ipKeyOf: keyOf,
    allIps: forms,
    allTexts: forms,
    deviceKeyOf: (owner, device) => deviceHash(secrets[0], owner, device),
    allDevices: (owner, device) => secrets.map((secret) => deviceHash(secret, owner, device)),
    hash,
    hashed,
  };
}

/** Whether an entry keeps a hash in place of the value. */
export function isHashed(key: string): boolean {
  return key.startsWith(hashPrefix);
}

/** Gates ignores case in every comparison, so addresses are found in any case too, and in every form of Unicode. */
function plainKey(localPart: string, domain: string): string {
  return `${foldCase(localPart)}@${domain}`;
}
