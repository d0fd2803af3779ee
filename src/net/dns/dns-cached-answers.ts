import type { DnsAnswer } from '../../mail/dns-source.ts';
import type { QuestionType, RecordOf } from './dns-question.ts';

/** The cached answer of one name and type. */
export interface CachedAnswer<R> {
  readonly answer: DnsAnswer<R>;
  /** When the entry was written; a clock that shows less than this was set back. */
  readonly writtenAtMs: number;
  /** Until when the answer is fresh. */
  readonly freshUntilMs: number;
  /** No query is sent before this: the answer is fresh, or the last query failed a moment ago. */
  readonly quietUntilMs: number;
  /** From when a hit refreshes the answer in the background. */
  readonly refreshFromMs: number;
  /** Failures in a row. */
  readonly failures: number;
}

/** A bounded cache of answers. */
export interface CachedAnswers {
  get<T extends QuestionType>(name: string, type: T): CachedAnswer<RecordOf[T]> | null;
  set<T extends QuestionType>(name: string, type: T, entry: CachedAnswer<RecordOf[T]>): void;
  /** Drops every answer for which `test` holds. */
  forget(test: (entry: CachedAnswer<unknown>) => boolean): void;
  count(): number;
  bytes(): number;
}

/** The bounds of the cache; bytes are estimates. */
export interface CacheLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
  /** A larger answer is not cached. */
  readonly maxEntryBytes: number;
}

type Slots = { -readonly [T in QuestionType]: CachedAnswer<RecordOf[T]> | null };
interface NameNode {
  readonly slots: Slots;
  /** Used since the clock hand last passed. */
  used: boolean;
}

const ENTRY_BYTES = 200;
const RECORD_BYTES = 64;

/**
 * Creates an empty cache with one node per name, so that a hit costs one map probe. When full it evicts by second chance: the
 * oldest name is evicted, unless it was used since the hand last passed.
 */
export function createCachedAnswers(limits: CacheLimits): CachedAnswers {
  const nodes = new Map<string, NameNode>();
  let count = 0;
  let bytes = 0;

  function evictOne(): void {
    for (const [name, node] of nodes) {
      nodes.delete(name);
      if (!node.used) {
        for (const slot of Object.values(node.slots)) subtract(slot);
        return;
      }
      node.used = false;
      nodes.set(name, node);
    }
  }
  function subtract(entry: CachedAnswer<unknown> | null): void {
    if (entry === null) return;
    count--;
    bytes -= sizeOf(entry.answer);
  }
  function nodeOf(name: string): NameNode {
    const found = nodes.get(name);
    if (found !== undefined) return found;
    const node = { slots: { MX: null, TXT: null, A: null, AAAA: null }, used: false };
    nodes.set(name, node);
    return node;
  }

  return {
    get(name, type) {
      const node = nodes.get(name);
      if (node === undefined) return null;
      node.used = true;
      return node.slots[type];
    },
    set(name, type, entry) {
      const size = sizeOf(entry.answer);
      if (size > limits.maxEntryBytes) return;
      const { slots } = nodeOf(name);
      subtract(slots[type]);
      slots[type] = entry as Slots[typeof type];
      count++;
      bytes += size;
      while (count > limits.maxEntries || bytes > limits.maxBytes) evictOne();
    },
    forget(test) {
      for (const { slots } of nodes.values()) {
        for (const type of Object.keys(slots) as QuestionType[]) {
          const entry = slots[type];
          if (entry === null || !test(entry)) continue;
          subtract(entry);
          slots[type] = null;
        }
      }
    },
    count: () => count,
    bytes: () => bytes,
  };
}

function sizeOf(answer: DnsAnswer<unknown>): number {
  if (answer.kind !== 'records') return ENTRY_BYTES;
  return answer.records.reduce<number>((total, record) => total + RECORD_BYTES + textLength(record), ENTRY_BYTES);
}

function textLength(record: unknown): number {
  if (typeof record === 'string') return 2 * record.length;
  return record !== null && typeof record === 'object' && 'hostname' in record ? 2 * String(record.hostname).length : 0;
}
