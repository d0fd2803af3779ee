import { keysOf } from '../decisions/decision-entry.ts';
import type { EntryKeys, LogFilter, LoggedRow } from '../decisions/decisions-store.ts';

/** The hashes that find entries, collected entry by entry. */
export interface TermList {
  readonly gateIds: ReadonlySet<string>;
  add(row: LoggedRow): void;
  /** All hashes in order, possibly with duplicates. */
  sorted(): Uint32Array;
  clear(): void;
}

/** The prefixes of a gate's terms, and the results whose terms were added. */
interface GateTerms {
  readonly email: number;
  readonly normal: number;
  readonly domain: number;
  readonly ip: number;
  readonly results: Set<string>;
  /** The sources, countries and networks whose terms were added: entries share them. */
  readonly shared: Set<unknown>;
}

export function createTermList(): TermList {
  let hashes = new Uint32Array(4_096);
  let used = 0;
  const gateIds = new Set<string>();
  const gates = new Map<string, GateTerms>();
  const push = (hash: number): void => {
    if (used === hashes.length) {
      const more = new Uint32Array(2 * used);
      more.set(hashes);
      hashes = more;
    }
    hashes[used++] = hash;
  };
  const termsOf = (gateId: string): GateTerms => {
    let terms = gates.get(gateId);
    if (terms === undefined) {
      const [email, normal] = [prefix(gateId, 'email'), prefix(gateId, 'normal')];
      const [domain, ip] = [prefix(gateId, 'domain'), prefix(gateId, 'ip')];
      terms = { email, normal, domain, ip, results: new Set(), shared: new Set() };
      gates.set(gateId, terms);
      gateIds.add(gateId);
      push(term(gateId, 'gate', ''));
    }
    return terms;
  };
  const addResult = ({ results }: GateTerms, { gateId, action, ruleId }: LoggedRow): void => {
    const result = ruleId === null ? action : `${action} ${ruleId}`;
    if (results.has(result)) return;
    results.add(result);
    push(term(gateId, 'action', action));
    if (ruleId === null) return;
    push(term(gateId, 'rule', ruleId));
    push(term(gateId, action, ruleId));
  };
  const addShared = ({ shared }: GateTerms, gateId: string, kind: string, value: string | number): void => {
    if (shared.has(value)) return;
    shared.add(value);
    push(term(gateId, kind, String(value)));
  };
  const addKeys = (terms: GateTerms, { gateId, emailKey }: LoggedRow, keys: EntryKeys): void => {
    const { normal, sources, country, asn, network, device, otherRuleIds } = keys;
    // Most addresses are normalised already, and the address finds them.
    if (normal !== null && normal !== emailKey) push(ending(terms.normal, normal));
    // A domain that is asked for often has one list of sources.
    if (sources.length > 0 && !terms.shared.has(sources)) {
      terms.shared.add(sources);
      for (const source of sources) addShared(terms, gateId, 'source', source);
    }
    if (country !== null) addShared(terms, gateId, 'country', country);
    if (asn !== null) addShared(terms, gateId, 'asn', asn);
    if (network !== null) addShared(terms, gateId, 'network', network);
    if (device !== null) push(term(gateId, 'device', device));
    for (const ruleId of otherRuleIds) addShared(terms, gateId, 'matched', ruleId);
  };
  return {
    gateIds,
    add(row) {
      const terms = termsOf(row.gateId);
      addResult(terms, row);
      push(ending(terms.domain, row.domain));
      if (row.emailKey !== null) push(ending(terms.email, row.emailKey));
      if (row.ip !== null) push(ending(terms.ip, row.ip));
      addKeys(terms, row, keysOf(row));
    },
    sorted: () => hashes.slice(0, used).sort(),
    clear() {
      used = 0;
      gateIds.clear();
      gates.clear();
    },
  };
}

/** The terms of a filter: a segment that holds a matching entry has at least one term of each list. */
export function termsWanted(gateIds: readonly string[], filter: LogFilter): number[][] {
  const { emailKeys, normalKeys, domain, ips, actions, ruleId, matchedRuleId } = filter;
  const { source, country, network, deviceKeys } = filter;
  const ofGates = (kind: string, values: readonly string[]): number[] =>
    gateIds.flatMap((gateId) => values.map((value) => term(gateId, kind, value)));
  const wanted: number[][] = [];
  if (emailKeys !== undefined) wanted.push(ofGates('email', emailKeys));
  if (normalKeys !== undefined) wanted.push(['email', 'normal'].flatMap((kind) => ofGates(kind, [...normalKeys])));
  if (ips !== undefined) wanted.push(ofGates('ip', ips));
  if (domain !== undefined) wanted.push(ofGates('domain', [domain]));
  // Either may be in every segment, without an entry that has both.
  if (actions !== undefined && ruleId !== undefined)
    wanted.push(actions.flatMap((action) => ofGates(action, [ruleId])));
  else if (ruleId !== undefined) wanted.push(ofGates('rule', [ruleId]));
  else if (actions !== undefined) wanted.push(ofGates('action', actions));
  if (source !== undefined) wanted.push(ofGates('source', [source]));
  if (country !== undefined) wanted.push(ofGates('country', [country]));
  if (network !== undefined)
    wanted.push('asn' in network ? ofGates('asn', [String(network.asn)]) : ofGates('network', [network.block]));
  if (matchedRuleId !== undefined) wanted.push(['rule', 'matched'].flatMap((kind) => ofGates(kind, [matchedRuleId])));
  if (deviceKeys !== undefined) wanted.push(ofGates('device', deviceKeys));
  return wanted.length > 0 ? wanted : [ofGates('gate', [''])];
}

/** A 32-bit hash of the gate and a value (FNV-1a with a final mix). */
function term(gateId: string, kind: string, value: string): number {
  return ending(prefix(gateId, kind), value);
}

/** The hash of the common start of a gate's terms of one kind. */
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

/** The number of parts of a merged bucket's terms; a search reads one for each term. */
export const partsOfBucket = 64;
/** The only part of a bucket that is not merged yet. */
export const wholePart = -1;

/** The part of a merged bucket that a term is in. */
export function partOf(hash: number): number {
  return hash % partsOfBucket;
}

const bytesOfPosting = 6;
const offsets = 0x1_0000;

/** A term and its segment, as an offset from the bucket's first, in one number, which sorts quickly. */
export function posting(hash: number, offset: number): number {
  return hash * offsets + offset;
}

/** Sorted postings as bytes. */
export function encodePostings(postings: Float64Array): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(postings.length * bytesOfPosting);
  let at = 0;
  for (const one of postings) {
    at = bytes.writeUInt32BE(Math.floor(one / offsets), at);
    at = bytes.writeUInt16BE(one % offsets, at);
  }
  return bytes;
}

/** The sorted terms of a single segment as bytes, each once. */
export function encodeTerms(hashes: Uint32Array): Uint8Array {
  const different = hashes.filter((hash, index) => index === 0 || hash !== hashes[index - 1]);
  return encodePostings(Float64Array.from(different, (hash) => posting(hash, 0)));
}

export function termCount(part: Uint8Array): number {
  return part.length / bytesOfPosting;
}

export function termAt(part: Uint8Array, index: number): number {
  const at = index * bytesOfPosting;
  const [one = 0, two = 0, three = 0, four = 0] = [part[at], part[at + 1], part[at + 2], part[at + 3]];
  return ((one << 24) | (two << 16) | (three << 8) | four) >>> 0;
}

const bufferOver = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The segments of a bucket with a term, by binary search. */
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
