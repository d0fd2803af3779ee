import type { DnsAnswer } from '../../mail/dns-source.ts';
import { boundedMap } from '../../platform/bounded-map.ts';
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
  /** Used since the last turn of the eviction. */
  used: boolean;
}

const ENTRY_BYTES = 200;
const RECORD_BYTES = 64;

/**
 * Creates an empty cache with one node per name, so that a hit costs one map probe. When full it evicts by second chance: the
 * oldest name is evicted, unless it was used since its last turn. Each answer weighs at least its share of the bytes, so that
 * one bound limits both bytes and entries.
 */
export function createCachedAnswers(limits: CacheLimits): CachedAnswers {
  const share = Math.floor(limits.maxBytes / limits.maxEntries);
  let count = 0;
  let bytes = 0;
  const subtract = (entry: CachedAnswer<unknown> | null): void => {
    if (entry === null) return;
    count--;
    bytes -= sizeOf(entry.answer);
  };
  const nodes = boundedMap<string, NameNode>(Number.POSITIVE_INFINITY, {
    maxWeight: limits.maxBytes,
    wasUsed: takeUsed,
    onEvict({ slots }) {
      for (const entry of Object.values(slots)) subtract(entry);
    },
  });

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
      const node = nodes.get(name) ?? { slots: { MX: null, TXT: null, A: null, AAAA: null }, used: false };
      const slots: Slots = node.slots;
      subtract(slots[type]);
      slots[type] = entry as Slots[typeof type];
      count++;
      bytes += size;
      nodes.set(name, node, weightOf(slots, share));
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

/** Whether a node was used since its last turn. Its next turn begins. */
function takeUsed(node: NameNode): boolean {
  const { used } = node;
  node.used = false;
  return used;
}

function weightOf(slots: Slots, share: number): number {
  const entries = Object.values(slots);
  return entries.reduce((sum, entry) => sum + (entry === null ? 0 : Math.max(share, sizeOf(entry.answer))), 0);
}

function sizeOf(answer: DnsAnswer<unknown>): number {
  if (answer.kind !== 'records') return ENTRY_BYTES;
  return answer.records.reduce<number>((total, record) => total + RECORD_BYTES + textLength(record), ENTRY_BYTES);
}

function textLength(record: unknown): number {
  if (typeof record === 'string') return 2 * record.length;
  return record !== null && typeof record === 'object' && 'hostname' in record ? 2 * String(record.hostname).length : 0;
}
