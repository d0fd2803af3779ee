import { parseIp } from '../address/ip.ts';
import type { ListKind } from '../list-kind.ts';
import { HashedSet } from '../platform/hashed-set.ts';
import { masked } from './entry-value.ts';

/** The keys of a list in memory, as hashes. */
export interface ListMembers {
  readonly kind: ListKind;
  readonly size: number;
  /** Whether an entry that has not expired covers a value in lower case. */
  has(text: string): boolean;
  add(key: string, untilMs: number): void;
  delete(key: string): void;
}

/** The empty list of a kind; `now` is read only for entries that expire. */
export function createListMembers(kind: ListKind, expected: number, now: () => number): ListMembers {
  const set = new HashedSet({ expected });
  const isIn = (text: string, start = 0): boolean => {
    const untilMs = set.untilOf(text, start);
    return untilMs !== 0 && (untilMs === Number.POSITIVE_INFINITY || untilMs > now());
  };
  const { has, hashed } = formOf(kind, isIn);
  return {
    kind,
    get size() {
      return set.size;
    },
    has,
    add: (key, untilMs) => set.add(hashed(key), untilMs),
    delete: (key) => set.delete(hashed(key)),
  };
}

type IsIn = (text: string, start?: number) => boolean;

/** How the members of one kind are hashed and found. */
interface Form {
  readonly has: (text: string) => boolean;
  readonly hashed: (key: string) => string;
}

function formOf(kind: ListKind, isIn: IsIn): Form {
  if (kind === 'ip') return networks(isIn);
  const has = kind === 'domain' ? (name: string) => isUnder(name, isIn) : (text: string) => isIn(text);
  return { has, hashed: (key) => key };
}

/** An entry covers its name and all names below it; an entry has at least two labels. */
function isUnder(name: string, isIn: IsIn): boolean {
  for (let start = 0; ; ) {
    const dot = name.indexOf('.', start);
    if (dot === -1) return false;
    if (isIn(name, start)) return true;
    start = dot + 1;
  }
}

/**
 * A block is hashed as the octets of its network and the length of its prefix. An address is looked up once per length that
 * the list has: few in practice, and no more for 100,000 blocks than for ten.
 */
function networks(isIn: IsIn): Form {
  const lengths: Readonly<Record<4 | 16, Set<number>>> = { 4: new Set(), 16: new Set() };
  return {
    has(text) {
      const bytes = bytesOf(text);
      if (bytes === null) return false;
      for (const length of lengths[bytes.length as 4 | 16]) if (isIn(blockText(bytes, length))) return true;
      return false;
    },
    hashed(key) {
      const [address = '', length] = key.split('/');
      const bytes = parseIp(address)?.bytes ?? new Uint8Array(4);
      const prefix = length === undefined ? bytes.length * 8 : Number(length);
      lengths[bytes.length as 4 | 16].add(prefix);
      return blockText(bytes, prefix);
    },
  };
}

function blockText(bytes: Uint8Array, length: number): string {
  return String.fromCharCode(length, ...masked(bytes, length));
}

let lastText = '';
let lastBytes: Uint8Array | null = null;

/** A decision tests one address against several lists. */
function bytesOf(text: string): Uint8Array | null {
  if (text !== lastText) {
    lastBytes = parseIp(text)?.bytes ?? null;
    lastText = text;
  }
  return lastBytes;
}
