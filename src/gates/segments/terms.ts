import type { LogFilter, LoggedRow } from '../decisions/decisions-store.ts';

/** The hashes of everything by which the entries of a segment are found, each once. */
export function termsOf(rows: readonly LoggedRow[]): Set<number> {
  const terms = new Set<number>();
  for (const { gateId, emailKey, domain, ip, action, ruleId } of rows) {
    terms.add(term(gateId, 'gate', ''));
    terms.add(term(gateId, 'domain', domain));
    terms.add(term(gateId, 'action', action));
    if (emailKey !== null) terms.add(term(gateId, 'email', emailKey));
    if (ip !== null) terms.add(term(gateId, 'ip', ip));
    if (ruleId === null) continue;
    terms.add(term(gateId, 'rule', ruleId));
    terms.add(term(gateId, action, ruleId));
  }
  return terms;
}

/** What a segment must have to hold an entry of one of the gates that the filter asks for: of each list one term at least. */
export function termsWanted(
  gateIds: readonly string[],
  { emailKeys, domain, ips, action, ruleId }: LogFilter,
): number[][] {
  const ofGates = (kind: string, values: readonly string[]): number[] =>
    gateIds.flatMap((gateId) => values.map((value) => term(gateId, kind, value)));
  const wanted: number[][] = [];
  if (emailKeys !== undefined) wanted.push(ofGates('email', emailKeys));
  if (ips !== undefined) wanted.push(ofGates('ip', ips));
  if (domain !== undefined) wanted.push(ofGates('domain', [domain]));
  // Each of the two may be in every segment, and never both in one entry.
  if (action !== undefined && ruleId !== undefined) wanted.push(ofGates(action, [ruleId]));
  else if (ruleId !== undefined) wanted.push(ofGates('rule', [ruleId]));
  else if (action !== undefined) wanted.push(ofGates('action', [action]));
  return wanted.length > 0 ? wanted : [ofGates('gate', [''])];
}

/** 32 bits of the gate and what is looked for in it (FNV-1a, its bits mixed once more). */
function term(gateId: string, kind: string, value: string): number {
  const text = `${gateId} ${kind} ${value}`;
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** In how many parts the terms of a merged bucket are kept; a search reads one for each term. */
export const partsOfBucket = 64;
/** The one part of a bucket that is not merged yet. */
export const wholePart = -1;

/** The part of a merged bucket that a term is in. */
export function partOf(hash: number): number {
  return hash % partsOfBucket;
}

const bytesOfPosting = 6;
const offsets = 0x1_0000;

/** A term and the segment it is in, as a distance from the first of the bucket, in one number: many are sorted quickly. */
export function posting(hash: number, offset: number): number {
  return hash * offsets + offset;
}

/** Postings as bytes, in the order of their terms. */
export function encodePostings(postings: Iterable<number>): Uint8Array {
  const sorted = Float64Array.from(postings).sort();
  const bytes = Buffer.alloc(sorted.length * bytesOfPosting);
  for (let index = 0; index < sorted.length; index += 1) {
    bytes.writeUIntBE(sorted[index] ?? 0, index * bytesOfPosting, bytesOfPosting);
  }
  return bytes;
}

/** The terms of a part. */
export function termsIn(part: Uint8Array): number[] {
  const bytes = bufferOver(part);
  const terms: number[] = [];
  for (let at = 0; at < bytes.length; at += bytesOfPosting) terms.push(bytes.readUInt32BE(at));
  return terms;
}

const bufferOver = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The segments of a bucket that have a term, found by halving. */
export function offsetsOf(part: Uint8Array, hash: number): number[] {
  const bytes = bufferOver(part);
  let low = 0;
  let high = bytes.length / bytesOfPosting;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (bytes.readUInt32BE(middle * bytesOfPosting) < hash) low = middle + 1;
    else high = middle;
  }
  const found: number[] = [];
  for (let at = low * bytesOfPosting; at < bytes.length && bytes.readUInt32BE(at) === hash; at += bytesOfPosting) {
    found.push(bytes.readUInt16BE(at + 4));
  }
  return found;
}
