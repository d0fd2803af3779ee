import { parseAddress } from '../address/address.ts';
import { parseDomain } from '../address/domain.ts';
import { ipFromBytes, parseIp } from '../address/ip.ts';
import { normalizeAddress } from '../address/normalize.ts';
import { characterCount, isStorableText } from '../input/json-value.ts';
import type { ListKind } from '../list-kind.ts';

/** A valid value of an entry. */
export interface EntryValue {
  /** The form in which values are compared: two values with one key are one entry. */
  readonly key: string;
  /** The form that is stored and shown. */
  readonly value: string;
}

interface Kind {
  /** The key or the value of a text; null for one that is not of this kind. */
  readonly parse: (text: string) => EntryValue | string | null;
  /** The message about any other text. */
  readonly problem: string;
}

/** The longest value of kind `text`, in characters. */
export const maxTextLength = 500;
const maxAsn = 4_294_967_295;

const kinds: Readonly<Record<ListKind, Kind>> = {
  email: {
    parse(text) {
      const address = parseAddress(text);
      return address === null ? null : normalizeAddress(address).toLowerCase();
    },
    problem: 'The email address is invalid.',
  },
  domain: { parse: (text) => parseDomain(text)?.ascii ?? null, problem: 'The domain is invalid.' },
  ip: { parse: networkIn, problem: 'The IP address or CIDR block is invalid.' },
  country: {
    parse: (text) => (/^[a-z]{2}$/i.test(text) ? { key: text.toLowerCase(), value: text.toUpperCase() } : null),
    problem: 'The country must be a code of two letters (ISO 3166-1), such as DE.',
  },
  asn: {
    parse(text) {
      const number = /^(?:AS)?(\d{1,10})$/i.exec(text)?.[1];
      return number === undefined || Number(number) > maxAsn ? null : String(Number(number));
    },
    problem: `The AS number must be 0 to ${maxAsn}, such as 15169 or AS15169.`,
  },
  text: {
    parse(text) {
      const isValid = text !== '' && isStorableText(text) && characterCount(text) <= maxTextLength;
      return isValid ? { key: text.toLowerCase(), value: text } : null;
    },
    problem: `The text must have 1 to ${maxTextLength} characters.`,
  },
};

/** Reads a value of an entry; null for one that is not of the list's kind. */
export function entryValueIn(kind: ListKind, text: string): EntryValue | null {
  const parsed = kinds[kind].parse(text);
  return typeof parsed === 'string' ? { key: parsed, value: parsed } : parsed;
}

/** The message about a value that is not of the kind. */
export function valueProblem(kind: ListKind): string {
  return kinds[kind].problem;
}

/** The canonical text of an address or a CIDR block: without host bits, and a block of one address is the address. */
function networkIn(text: string): string | null {
  const slash = text.indexOf('/');
  const ip = parseIp(slash === -1 ? text : text.slice(0, slash));
  if (ip === null) return null;
  if (slash === -1) return ip.text;
  const length = text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d{0,2})$/.test(length)) return null;
  const bits = ip.bytes.length * 8;
  // The length of an IPv4-mapped block counts the bits in front of the IPv4 address.
  const isMapped = ip.version === 4 && text.includes(':');
  const prefix = Number(length) - (isMapped ? 96 : 0);
  if (prefix < 0 || prefix > bits) return null;
  const network = ipFromBytes(masked(ip.bytes, prefix));
  if (network === null) return null;
  return prefix === bits ? network.text : `${network.text}/${prefix}`;
}

/** The octets with everything behind the prefix cleared. */
export function masked(bytes: Uint8Array, prefix: number): Uint8Array {
  return bytes.map((byte, index) => {
    const kept = Math.min(8, Math.max(0, prefix - index * 8));
    return byte & (0xff00 >> kept) & 0xff;
  });
}
