import type { YieldWhenDue } from '../platform/yielding.ts';
import { standing } from '../traffic/observation.ts';
import type { ObservedRow } from './observed-row.ts';
import { type WaveKind, waveKinds } from './wave.ts';

/** The rows that share a value. Nearly all values have one row, so the sets are made when they are read. */
export class Group {
  readonly kind: WaveKind;
  readonly key: number;
  readonly rows: ObservedRow[] = [];
  #addresses: ReadonlySet<number> | null = null;
  #spellings: ReadonlySet<number> | null = null;

  constructor(kind: WaveKind, key: number) {
    this.kind = kind;
    this.key = key;
  }

  get addresses(): ReadonlySet<number> {
    this.#addresses ??= new Set(this.rows.map(({ address }) => address));
    return this.#addresses;
  }

  get spellings(): ReadonlySet<number> {
    this.#spellings ??= new Set(this.rows.map(({ spelling }) => spelling));
    return this.#spellings;
  }
}

/** The rows by what they share, for each kind. */
export async function groupRows(rows: readonly ObservedRow[], yieldWhenDue: YieldWhenDue): Promise<Group[]> {
  const all: Group[] = [];
  for (const kind of waveKinds) {
    const groups = new Map<number, Group>();
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] as ObservedRow;
      // Reading the clock for every row takes as long as grouping it.
      const turn = index % 64 === 0 ? yieldWhenDue() : null;
      if (turn !== null) await turn;
      const key = row.key(kind);
      if (key === 0) continue;
      let group = groups.get(key);
      if (group === undefined) {
        group = new Group(kind, key);
        groups.set(key, group);
      }
      group.rows.push(row);
    }
    for (const group of groups.values()) all.push(group);
  }
  return all;
}

/** Variants of one mailbox count for networks, where they are the attack. */
export function countOf(group: Pick<Group, 'kind' | 'rows' | 'addresses' | 'spellings'>): number {
  if (group.rows.length === 1) return 1;
  return group.kind === 'network' ? group.spellings.size : group.addresses.size;
}

/** Distinct registrable domains. */
export function domainsOf({ rows }: Pick<Group, 'rows'>): number {
  return new Set(rows.map(({ domain }) => domain)).size;
}

/**
 * Whether this share of a group's addresses, less some standard errors, is at established domains that are not public mail services:
 * among the first addresses of a conference, a few at public mail services more are chance.
 */
export function isMostlyEstablished({ rows, addresses }: Group, share: number, errors: number): boolean {
  const { size } = addresses;
  const established = rows.filter((row) => row.standing === standing.established);
  const least = size * share - errors * Math.sqrt(size * share * (1 - share));
  return new Set(established.map(({ address }) => address)).size >= Math.max(1, least);
}

/** The value of another kind that most of the rows share; 0 without one. */
export function sharedKey(rows: readonly ObservedRow[], kind: WaveKind, share: number): number {
  const counts = new Map<number, number>();
  for (const row of rows) {
    const key = row.key(kind);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const [key, count] of counts) if (key !== 0 && count >= rows.length * share) return key;
  return 0;
}
