import { type Domain, parseDomain } from './domain.ts';
import { isDotAtom, isQuotedString, unquote } from './local-part.ts';

/** A valid email address. */
export interface Address {
  /** As submitted, to the letter. */
  readonly submitted: string;
  /** The local part as submitted, tag and quotes included. */
  readonly localPart: string;
  /** The part after the first `+` of the (unquoted) local part; null when there is no `+`. May be empty. */
  readonly tag: string | null;
  readonly domain: Domain;
}

/** RFC 5321 section 4.5.3.1.1. */
const longestLocalPart = 64;
/** A path of 256 octets less its angle brackets (RFC 5321 section 4.5.3.1.3). */
const longestAddress = 254;

/** Reads a mailbox of RFC 5321, SMTPUTF8 (RFC 6531) included; null when it is not a valid one. Never throws. */
export function parseAddress(text: string): Address | null {
  // An octet count is never below the count of UTF-16 units, so this also bounds the work below.
  if (text.length > longestAddress) return null;
  // A domain holds no `@`; a quoted local part may.
  const at = text.lastIndexOf('@');
  if (at < 1) return null;
  const localPart = text.slice(0, at);
  if (!isDotAtom(localPart) && !isQuotedString(localPart)) return null;
  const localOctets = Buffer.byteLength(localPart);
  if (localOctets > longestLocalPart || Buffer.byteLength(text) > longestAddress) return null;
  const domain = parseDomain(text.slice(at + 1), { trailingDot: false });
  if (domain === null || localOctets + 1 + domain.ascii.length > longestAddress) return null;
  return { submitted: text, localPart, tag: tagOf(localPart), domain };
}

function tagOf(localPart: string): string | null {
  if (!localPart.includes('+')) return null;
  const content = unquote(localPart);
  return content.slice(content.indexOf('+') + 1);
}
