import { standing } from '../traffic/observation.ts';
import type { ObservedRow } from './observed-row.ts';
import { type WaveKind, waveKinds } from './wave.ts';

/** The rows that share a value. */
export interface Group {
  readonly kind: WaveKind;
  readonly key: number;
  readonly rows: ObservedRow[];
  readonly addresses: Set<number>;
  readonly spellings: Set<number>;
}

/** The rows by what they share, for each kind. */
export function groupRows(rows: readonly ObservedRow[]): Group[] {
  return waveKinds.flatMap((kind) => {
    const groups = new Map<number, Group>();
    for (const row of rows) {
      const key = row.keys[kind];
      if (key === 0) continue;
      let group = groups.get(key);
      if (group === undefined) {
        group = { kind, key, rows: [], addresses: new Set(), spellings: new Set() };
        groups.set(key, group);
      }
      group.rows.push(row);
      group.addresses.add(row.address);
      group.spellings.add(row.spelling);
    }
    return [...groups.values()];
  });
}

/** Variants of one mailbox count for networks, where they are the attack. */
export function countOf({ kind, addresses, spellings }: Group): number {
  return kind === 'network' ? spellings.size : addresses.size;
}

/** Distinct registrable domains. */
export function domainsOf({ rows }: Pick<Group, 'rows'>): number {
  return new Set(rows.map(({ domain }) => domain)).size;
}

/** The share of a group's addresses at established domains that are not public mail services. */
export function establishedShare({ rows, addresses }: Group): number {
  const established = rows.filter((row) => row.standing === standing.established);
  return new Set(established.map(({ address }) => address)).size / addresses.size;
}

/** The value of another kind that most of the rows share; 0 without one. */
export function sharedKey(rows: readonly ObservedRow[], kind: WaveKind, share: number): number {
  const counts = new Map<number, number>();
  for (const { keys } of rows) counts.set(keys[kind], (counts.get(keys[kind]) ?? 0) + 1);
  for (const [key, count] of counts) if (key !== 0 && count >= rows.length * share) return key;
  return 0;
}
