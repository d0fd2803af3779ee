import { parse } from 'tldts';
import { idnaForms } from './idna.ts';

/** A valid domain name, in the forms the rest of the service needs. */
export interface Domain {
  /** Lower case, IDN labels in punycode, no trailing dot. The identity of the domain. */
  readonly ascii: string;
  /** The readable form; equal to `ascii` when nothing is internationalised. */
  readonly unicode: string;
  /** The public suffix, private section of the list included (`co.uk`, `github.io`). */
  readonly tld: string;
  /** The label before the public suffix; null when the name is itself a public suffix. */
  readonly sld: string | null;
  /** Everything before the registrable domain; null when there is none. */
  readonly subdomain: string | null;
  /** `sld.tld`; null when the name is itself a public suffix. */
  readonly registrable: string | null;
  /** The suffix comes from the private section of the public suffix list (a tenant of a hosting or dynamic DNS service). */
  readonly privateSuffix: boolean;
}

export interface ParseDomainOptions {
  /** Drop one trailing dot (the default); false refuses it, as in an address. */
  readonly trailingDot?: boolean;
}

/** A path value longer than this is malformed whatever it holds. */
const longestText = 320;
/** RFC 1035: 255 octets on the wire are 253 characters of text. */
const longestName = 253;
const longestLabel = 63;

/** The text is a host name already: cut off no scheme, validate nothing twice. */
const suffixOptions = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false };

/** Reads a domain name; null when it is not a valid one. Never throws. */
export function parseDomain(text: string, options: ParseDomainOptions = {}): Domain | null {
  if (text.length > longestText) return null;
  const name = options.trailingDot === false ? text : withoutTrailingDot(text);
  if (isPlain(name)) {
    const lower = name.toLowerCase();
    return isHostName(lower) ? describe(lower, lower) : null;
  }
  const forms = idnaForms(name);
  if (forms === null || !isHostName(forms.ascii)) return null;
  const { ascii, unicode } = forms;
  // RFC 5891 section 4.2.3.1 holds for the readable label too, which punycode hides behind `xn--`.
  if (/(?:^|\.)-|-(?:\.|$)/.test(unicode)) return null;
  return describe(ascii, unicode);
}

/** UTS 46 maps three more characters to the full stop. */
function withoutTrailingDot(text: string): string {
  return /[.\u3002\uff0e\uff61]$/.test(text) ? text.slice(0, -1) : text;
}

/** ASCII without a punycode label: IDNA would only lower its case or refuse it, as isHostName does for less. */
function isPlain(name: string): boolean {
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index);
    if (code > 0x7f) return false;
    // `xn--` in any case: x or X, then n or N.
    if ((code | 0x20) === 0x78 && (name.charCodeAt(index + 1) | 0x20) === 0x6e && name.charCodeAt(index + 2) === 0x2d) {
      return false;
    }
  }
  return true;
}

/** At least two labels of a-z 0-9 hyphen, no hyphen first or last, the last label not all digits (RFC 1123 section 2.1). */
function isHostName(name: string): boolean {
  if (name.length > longestName) return false;
  let labels = 0;
  let start = 0;
  let digits = 0;
  for (let index = 0; index <= name.length; index++) {
    const code = index === name.length ? 0x2e : name.charCodeAt(index);
    if (code === 0x2e) {
      const length = index - start;
      if (length === 0 || length > longestLabel) return false;
      if (name.charCodeAt(start) === 0x2d || name.charCodeAt(index - 1) === 0x2d) return false;
      if (index === name.length) return labels > 0 && digits < length;
      labels++;
      start = index + 1;
      digits = 0;
    } else if (code >= 0x30 && code <= 0x39) digits++;
    else if ((code < 0x61 || code > 0x7a) && code !== 0x2d) return false;
  }
  return false;
}

function describe(ascii: string, unicode: string): Domain {
  const parts = parse(ascii, suffixOptions);
  return {
    ascii,
    unicode,
    tld: parts.publicSuffix ?? ascii,
    sld: parts.domainWithoutSuffix || null,
    subdomain: parts.subdomain || null,
    registrable: parts.domain,
    privateSuffix: parts.isPrivate === true,
  };
}
