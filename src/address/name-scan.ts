import { letterBit } from './typo-target.ts';

/** The result of one pass over a name: enough to dismiss nearly every name without a table lookup. */
export interface NameScan {
  /** The set of letters of the first label, as bits. */
  readonly letters: number;
  /** Where the first dot and the last one are; -1 without one. */
  readonly dot: number;
  readonly last: number;
  readonly dots: number;
  /** Of all characters but the dots. */
  readonly hash: number;
  /** The same, up to the last dot. */
  readonly restHash: number;
  /** Of everything after the first dot. */
  readonly suffixHash: number;
  readonly isPunycode: boolean;
}

const dotCode = 0x2e;
const hyphen = 0x2d;

/** Scans a name. The result is valid until the next call: this runs for every unknown name, so it allocates nothing. */
export function scanName(name: string): NameScan {
  let letters = 0;
  let dot = -1;
  let last = -1;
  let dots = 0;
  let hash = 0;
  let restHash = 0;
  let suffixHash = 0;
  let before = 0;
  let hasTwoHyphens = false;
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index);
    if (dot >= 0) suffixHash = (Math.imul(suffixHash, 31) + code) | 0;
    if (code === dotCode) {
      if (dot < 0) dot = index;
      last = index;
      dots += 1;
      restHash = hash;
    } else {
      if (dot < 0) letters |= letterBit(code);
      hash = (Math.imul(hash, 31) + code) | 0;
      if (code === hyphen && before === hyphen) hasTwoHyphens = true;
    }
    before = code;
  }
  scan.letters = letters;
  scan.dot = dot;
  scan.last = last;
  scan.dots = dots;
  scan.hash = hash;
  scan.restHash = restHash;
  scan.suffixHash = suffixHash;
  scan.isPunycode = hasTwoHyphens && name.includes('xn--');
  return scan;
}

const scan = { letters: 0, dot: -1, last: -1, dots: 0, hash: 0, restHash: 0, suffixHash: 0, isPunycode: false };

/** A set of names that may say yes wrongly, but never no: one bit for each hash. */
export function hashSet(names: Iterable<string>): (hash: number) => boolean {
  const bits = 16;
  const fold = (hash: number): number => (hash ^ (hash >>> bits)) & ((1 << bits) - 1);
  const seen = new Uint8Array(1 << bits);
  for (const name of names) seen[fold(scanName(name).hash)] = 1;
  return (hash) => seen[fold(hash)] === 1;
}
