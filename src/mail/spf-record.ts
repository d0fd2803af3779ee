import { ipTextToBytes } from '../address/ip-text.ts';
import { isDomainSpec, isMacroString } from './spf-macro.ts';

export type SpfQualifier = '+' | '-' | '~' | '?';

/** One mechanism of a record, with the domain-spec it names; null when it means the domain itself. */
export interface SpfMechanism {
  readonly kind: 'all' | 'include' | 'a' | 'mx' | 'ptr' | 'ip4' | 'ip6' | 'exists';
  readonly qualifier: SpfQualifier;
  readonly spec: string | null;
}

/** A record that keeps the grammar of RFC 7208 section 12. */
export interface SpfRecord {
  readonly mechanisms: readonly SpfMechanism[];
  /** The domain-spec of `redirect=`. */
  readonly redirect: string | null;
}

/** A record, or the term that breaks it: one syntax error anywhere spoils the whole record (RFC 7208 section 4.6). */
export type ParsedSpf = { readonly record: SpfRecord } | { readonly error: string };

const version = /^v=spf1(?: |$)/i;
const modifierTerm = /^([a-z][a-z0-9\-_.]*)=(.*)$/i;
const mechanismTerm = /^([+\-?~]?)([a-z][a-z0-9\-_.]*)(.*)$/i;
const dualCidr = /^(?::(.+?))?(?:\/(\d+))?(?:\/\/(\d+))?$/;

/** Whether a TXT record is an SPF record: the version section ends at a space or at the end (RFC 7208 section 4.5). */
export function isSpfRecord(text: string): boolean {
  return version.test(text);
}

/** Reads an SPF record, every term of it, also those that are never reached. */
export function parseSpf(text: string): ParsedSpf {
  const mechanisms: SpfMechanism[] = [];
  const modifiers = new Map<string, string>();
  for (const term of text.split(' ').slice(1)) {
    if (term === '') continue;
    const modifier = modifierTerm.exec(term);
    if (modifier !== null) {
      if (!addModifier(modifiers, modifier[1] ?? '', modifier[2] ?? '')) return { error: term };
      continue;
    }
    const mechanism = parseMechanism(term);
    if (mechanism === null) return { error: term };
    mechanisms.push(mechanism);
  }
  return { record: { mechanisms, redirect: modifiers.get('redirect') ?? null } };
}

/** RFC 7208 section 6: `redirect` and `exp` at most once each; others are ignored as long as they are macro-strings. */
function addModifier(modifiers: Map<string, string>, name: string, value: string): boolean {
  const key = name.toLowerCase();
  if (key !== 'redirect' && key !== 'exp') return isMacroString(value);
  if (modifiers.has(key) || !isDomainSpec(value)) return false;
  modifiers.set(key, value);
  return true;
}

function parseMechanism(term: string): SpfMechanism | null {
  const [, sign = '', name = '', rest = ''] = mechanismTerm.exec(term) ?? [];
  const kind = name.toLowerCase();
  const spec = specOf(kind, rest);
  if (spec === undefined) return null;
  return { kind: kind as SpfMechanism['kind'], qualifier: (sign === '' ? '+' : sign) as SpfQualifier, spec };
}

/** The domain-spec of a mechanism, null for none, undefined when the term is malformed (RFC 7208 sections 5.1 to 5.7). */
function specOf(kind: string, rest: string): string | null | undefined {
  switch (kind) {
    case 'all':
      return rest === '' ? null : undefined;
    case 'ptr':
      return rest === '' ? null : requiredSpec(rest);
    case 'include':
    case 'exists':
      return requiredSpec(rest);
    case 'a':
    case 'mx':
      return addressSpec(rest);
    case 'ip4':
      return isNetwork(rest, 4) ? null : undefined;
    case 'ip6':
      return isNetwork(rest, 16) ? null : undefined;
    default:
      return undefined;
  }
}

function requiredSpec(rest: string): string | undefined {
  const spec = rest.slice(1);
  return rest.startsWith(':') && isDomainSpec(spec) ? spec : undefined;
}

function addressSpec(rest: string): string | null | undefined {
  const match = dualCidr.exec(rest);
  if (match === null || !isPrefix(match[2], 32) || !isPrefix(match[3], 128)) return undefined;
  const spec = match[1];
  if (spec === undefined) return null;
  return isDomainSpec(spec) ? spec : undefined;
}

function isNetwork(rest: string, octets: 4 | 16): boolean {
  const match = /^:([^/]+)(?:\/(.*))?$/.exec(rest);
  return match !== null && ipTextToBytes(match[1] ?? '')?.length === octets && isPrefix(match[2], octets * 8);
}

/** Section 12: a prefix length has no leading zero. */
function isPrefix(text: string | undefined, max: number): boolean {
  return text === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) <= max);
}
