import type { LogFilter, LoggedRow } from '../decisions/decisions-store.ts';

/** The hashes of everything by which the entries of a segment are found, each once. */
export function termsOf(rows: readonly LoggedRow[]): Set<number> {
  const terms = new Set<number>();
  for (const [gateId, ofGate] of Map.groupBy(rows, (row) => row.gateId)) {
    terms.add(term(gateId, 'gate', ''));
    addOutcomes(terms, gateId, ofGate);
    const email = prefix(gateId, 'email');
    const domain = prefix(gateId, 'domain');
    const ip = prefix(gateId, 'ip');
    for (const row of ofGate) {
      terms.add(ending(domain, row.domain));
      if (row.emailKey !== null) terms.add(ending(email, row.emailKey));
      if (row.ip !== null) terms.add(ending(ip, row.ip));
    }
  }
  return terms;
}

function addOutcomes(terms: Set<number>, gateId: string, rows: readonly LoggedRow[]): void {
  for (const [ruleId, ofRule] of Map.groupBy(rows, (row) => row.ruleId)) {
    if (ruleId !== null) terms.add(term(gateId, 'rule', ruleId));
    for (const action of new Set(ofRule.map((row) => row.action))) {
      terms.add(term(gateId, 'action', action));
      if (ruleId !== null) terms.add(term(gateId, action, ruleId));
    }
  }
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
  return ending(prefix(gateId, kind), value);
}

/** The hash so far of all terms of a gate and kind. */
function prefix(gateId: string, kind: string): number {
  return hashed(0x811c9dc5, `${gateId} ${kind} `);
}

function ending(begun: number, value: string): number {
  let hash = hashed(begun, value);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function hashed(begun: number, text: string): number {
  let hash = begun;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
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
