import { isUtf8 } from 'node:buffer';
import type { Answer } from 'dns-packet';
import { type Response, rcodes } from './dns-message.ts';
import {
  type AskedQuestion,
  asciiLowerCase,
  type FailureReason,
  failed,
  type Question,
  type QuestionType,
  type RecordOf,
  type Resolution,
} from './dns-question.ts';

/** The meaning of a response: an answer, or an alias whose target must be queried. */
export type Interpretation<R> =
  | { readonly kind: 'resolved'; readonly resolution: Resolution<R> }
  | { readonly kind: 'alias'; readonly name: string; readonly hops: number; readonly ttlSeconds: number };

/** How many aliases are followed for one question, over all of its responses. */
const MAX_ALIASES = 8;

/** A response code, or an answer without authority, that says this server will not answer; null when the response is an answer. */
export function refusalOf(response: Response): FailureReason | null {
  if (response.rcode === rcodes.serverFailure) return 'servfail';
  if (response.rcode === rcodes.refused) return 'refused';
  if (response.rcode !== rcodes.noError && response.rcode !== rcodes.nameError) return 'broken';
  return saysNothing(response) ? 'refused' : null;
}

/**
 * A denial by a server that neither recurses nor has authority, and names no server that has (RFC 2308 section 2.2: it may be a
 * referral): it says nothing about the name.
 */
function saysNothing(response: Response): boolean {
  const denies = response.rcode === rcodes.nameError || response.answers.length === 0;
  return denies && !response.recursive && !response.authoritative && soaOf(response) === null;
}

/** Whether a response denies the records. One that only names an alias means that the alias must be queried. */
export function denies(response: Response, { name, type }: AskedQuestion): boolean {
  if (response.rcode === rcodes.nameError) return true;
  const chain = followAliases(response, name, 0);
  if (chain === null || (chain.hops > 0 && soaOf(response) === null)) return false;
  return !response.answers.some((record) => record.type === type && isOwnedBy(record, chain.name));
}

/** Reads an answering response. Records of other names than the queried one and its aliases are ignored. */
export function interpret<T extends QuestionType>(
  response: Response,
  question: Question<T>,
  hopsBefore: number,
): Interpretation<RecordOf[T]> {
  const chain = followAliases(response, question.name, hopsBefore);
  if (chain === null) return { kind: 'resolved', resolution: { answer: failed('broken'), ttlSeconds: null } };
  // The code is about the last name of the chain (RFC 6604 section 3).
  if (response.rcode === rcodes.nameError) return none('name', response, chain.ttlSeconds);
  const records: RecordOf[T][] = [];
  let ttlSeconds = chain.ttlSeconds;
  for (const record of response.answers) {
    if (!isOwnedBy(record, chain.name)) continue;
    const value = readers[question.type](record);
    if (value === null) continue;
    records.push(value);
    ttlSeconds = Math.min(ttlSeconds, ttlOf(record));
  }
  if (records.length > 0) return { kind: 'resolved', resolution: { answer: { kind: 'records', records }, ttlSeconds } };
  if (chain.hops > hopsBefore && soaOf(response) === null) return { kind: 'alias', ...chain };
  return none('type', response, chain.ttlSeconds);
}

function none(missing: 'name' | 'type', response: Response, chainTtlSeconds: number): Interpretation<never> {
  const soa = soaOf(response);
  if (soa === null) {
    return { kind: 'resolved', resolution: { answer: { kind: 'none', missing, fleeting: true }, ttlSeconds: null } };
  }
  // RFC 2308 section 5: the lesser of the SOA's own TTL and its minimum field.
  const ttlSeconds = Math.min(chainTtlSeconds, ttlOf(soa), soa.data.minimum ?? 0);
  return { kind: 'resolved', resolution: { answer: { kind: 'none', missing }, ttlSeconds } };
}

/** The name at the end of the aliases in the response; null for a loop or too long a chain. */
function followAliases(response: Response, from: string, hopsBefore: number) {
  let name = from;
  let hops = hopsBefore;
  let ttlSeconds = Number.POSITIVE_INFINITY;
  for (;;) {
    const alias = response.answers.find((record) => record.type === 'CNAME' && isOwnedBy(record, name));
    if (alias?.type !== 'CNAME') return { name, hops, ttlSeconds };
    if (++hops > MAX_ALIASES) return null;
    name = asciiLowerCase(alias.data);
    ttlSeconds = Math.min(ttlSeconds, ttlOf(alias));
  }
}

function isOwnedBy(record: Answer, name: string): boolean {
  return record.type !== 'OPT' && record.class === 'IN' && asciiLowerCase(record.name) === name;
}

function soaOf(response: Response) {
  return response.authorities.find((record) => record.type === 'SOA') ?? null;
}

/** A TTL with the highest bit set counts as zero (RFC 2181 section 8). */
function ttlOf(record: { readonly ttl?: number | undefined } | Answer): number {
  const ttl = 'ttl' in record ? (record.ttl ?? 0) : 0;
  return ttl > 0x7fffffff ? 0 : ttl;
}

const readers: { readonly [T in QuestionType]: (record: Answer) => RecordOf[T] | null } = {
  MX: (record) =>
    record.type === 'MX' ? { hostname: hostnameOf(record.data.exchange), priority: record.data.preference ?? 0 } : null,
  TXT: (record) => (record.type === 'TXT' ? textOf(record.data) : null),
  A: (record) => (record.type === 'A' ? record.data : null),
  AAAA: (record) => (record.type === 'AAAA' ? record.data : null),
};

function hostnameOf(name: string): string {
  return name === '.' ? '' : asciiLowerCase(name);
}

/** The strings are joined as bytes, because a character may be split between two of them; bytes that are not UTF-8 are Latin-1. */
function textOf(data: string | Buffer | readonly (string | Buffer)[]): string {
  const parts = typeof data === 'string' || Buffer.isBuffer(data) ? [data] : data;
  const bytes = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}
