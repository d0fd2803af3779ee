import type { DnsAnswer, MxRecord } from '../../mail/dns-source.ts';

/** The answer to each type of question. */
export interface RecordOf {
  readonly MX: MxRecord;
  readonly TXT: string;
  readonly A: string;
  readonly AAAA: string;
}

/** The types of records that this service queries. */
export type QuestionType = keyof RecordOf;

/** One question to the DNS: a name that `readName` accepted, and a type. Class is always IN. */
export interface Question<T extends QuestionType = QuestionType> {
  readonly name: string;
  readonly type: T;
}

/** A question for a signal, or one that only checks whether a zone exists. */
export interface AskedQuestion {
  readonly name: string;
  readonly type: QuestionType | 'SOA';
}

/** Why a question has no answer. */
export type FailureReason = Extract<DnsAnswer<never>, { kind: 'failed' }>['reason'];

/** An answer and its TTL; null when the response has none. */
export interface Resolution<R> {
  readonly answer: DnsAnswer<R>;
  readonly ttlSeconds: number | null;
}

export function failed(reason: FailureReason): { readonly kind: 'failed'; readonly reason: FailureReason } {
  return { kind: 'failed', reason };
}

/** Lower case of A to Z only (RFC 4343): `toLowerCase` would turn the Kelvin sign into a k and so match another name. */
export function asciiLowerCase(text: string): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;
}

/**
 * The form of a name in which it is asked: lower case, no trailing dot. `impossible` for a name that cannot exist
 * (RFC 1035 section 2.3.4: an empty or too long label, more than 253 characters), `unsupported` for one that is not
 * printable ASCII or is the root. Underscores are allowed: `_dmarc` is a name of the DNS, though not of a host.
 */
export function readName(text: string): { readonly name: string } | 'impossible' | 'unsupported' {
  const name = asciiLowerCase(text.endsWith('.') ? text.slice(0, -1) : text);
  if (name === '' || !/^[\x21-\x7e]+$/.test(name)) return 'unsupported';
  if (name.length > 253) return 'impossible';
  return name.split('.').every((label) => label !== '' && label.length <= 63) ? { name } : 'impossible';
}
