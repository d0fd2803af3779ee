import { compressBytes, decompressBytes } from '../../platform/block-codec.ts';
import type { YieldWhenDue } from '../../platform/yielding.ts';
import { detectedKinds } from './kinds.ts';
import type { ObservedRow } from './observed-row.ts';

/** The measures of a summary: the values of every kind, every domain (public ones too), and the number of decisions. */
export const measures = {
  anyDomain: detectedKinds.length,
  total: detectedKinds.length + 1,
} as const;

/** How many values of an hour are kept: the largest. */
const maxValues = 5_000;
const countBits = 24;
const maxCount = 2 ** countBits - 1;

/** The 32-bit hash of a value of a measure; collisions are too rare to matter. */
export function valueHash(measure: number, key: number): number {
  const low = key | 0;
  const high = Math.floor(key / 2 ** 32) | 0;
  let mixed = Math.imul(low ^ Math.imul(high + measure + 1, 0x85ebca6b), 0x9e3779b1);
  mixed ^= mixed >>> 15;
  return Math.imul(mixed, 0xc2b2ae35) >>> 0;
}

/** How many members each value had in an hour: pairs of a value's hash, and its measure and count, in the order of the hashes. */
export class HourSummary {
  readonly hour: number;
  readonly #words: Uint32Array;

  constructor(hour: number, words: Uint32Array) {
    this.hour = hour;
    this.#words = words;
  }

  get size(): number {
    return this.#words.length / 2;
  }

  hashAt(index: number): number {
    return this.#words[index * 2] as number;
  }

  measureAt(index: number): number {
    return (this.#words[index * 2 + 1] as number) >>> countBits;
  }

  countAt(index: number): number {
    return (this.#words[index * 2 + 1] as number) & maxCount;
  }

  /** The members of a value; 0 when it had none. */
  countOf(hash: number): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.hashAt(middle) < hash) low = middle + 1;
      else high = middle;
    }
    return low < this.size && this.hashAt(low) === hash ? this.countAt(low) : 0;
  }

  encode(): Uint8Array {
    return compressBytes(new Uint8Array(this.#words.buffer, this.#words.byteOffset, this.#words.byteLength));
  }

  static decode(hour: number, body: Uint8Array): HourSummary {
    return new HourSummary(hour, new Uint32Array(Uint8Array.from(decompressBytes(body)).buffer));
  }
}

/** Summarises the rows of an hour. */
export async function summariseHour(
  hour: number,
  rows: readonly ObservedRow[],
  yieldWhenDue: YieldWhenDue,
): Promise<HourSummary> {
  const values = new Map<number, { measure: number; members: Set<number> }>();
  const add = (measure: number, key: number, member: number): void => {
    if (key === 0) return;
    const hash = valueHash(measure, key);
    const known = values.get(hash);
    if (known === undefined) values.set(hash, { measure, members: new Set([member]) });
    else known.members.add(member);
  };
  for (const [index, row] of rows.entries()) {
    const turn = index % 64 === 0 ? yieldWhenDue() : null;
    if (turn !== null) await turn;
    for (const [measure, kind] of detectedKinds.entries()) add(measure, kind.keyOf(row), kind.memberOf(row));
    add(measures.anyDomain, row.domain, row.mailbox);
    add(measures.total, 1, row.mailbox);
  }
  const all = [...values].map(([hash, { measure, members }]) => ({ hash, measure, count: members.size }));
  const kept = all.length <= maxValues ? all : all.sort((one, other) => other.count - one.count).slice(0, maxValues);
  kept.sort((one, other) => one.hash - other.hash);
  return new HourSummary(
    hour,
    Uint32Array.from(
      kept.flatMap(({ hash, measure, count }) => [hash, ((measure << countBits) | Math.min(count, maxCount)) >>> 0]),
    ),
  );
}
