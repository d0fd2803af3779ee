import type { Owner } from '../http/endpoint.ts';
import { actions } from '../traffic/observation.ts';
import { idEndText } from '../traffic/observation-block.ts';
import { type Attack, linkOf } from './detect.ts';
import type { OpenWave, WaveState } from './detection-store.ts';
import type { ObservedRow } from './observed-row.ts';
import type { SampleMark } from './wave.ts';
import { addAllowed, addMember, decodeMembers, encodeMembers, newMembers } from './wave-members.ts';
import type { WaveNames } from './wave-names.ts';

/** Counts the decisions of one wave. */
export interface WaveTally {
  readonly id: string;
  isOf(owner: Owner): boolean;
  /** Whether an attack is part of it. */
  isSame(attack: Attack): boolean;
  /** Adds an attack that is part of it. A wider value that has all of it describes it from now on. */
  join(attack: Attack, names: Pick<WaveNames, 'of'>): void;
  /** Adds rows that no wave has counted. */
  add(rows: readonly ObservedRow[]): void;
  /** Adds those that have the value of the wave. */
  addOwn(rows: readonly ObservedRow[]): void;
  link(links: ReadonlySet<string>): void;
  hasChanged(): boolean;
  state(value: string | null): WaveState;
}

const mostSamples = 20;

/** Starts an empty tally for an attack, or continues an open wave's. */
export function createTally(owner: Owner, from: Attack | OpenWave): WaveTally {
  const opened = 'wave' in from ? from.wave : null;
  const members = 'wave' in from ? decodeMembers(from.members) : newMembers();
  let { kind, key } = 'wave' in from ? { kind: from.wave.kind, key: from.key } : from;
  let renamed: string | null = null;
  let hasChanged = false;
  let lastAtMs = opened?.lastAtMs ?? 0;
  const decisions: Record<string, number> = {
    allow: opened?.allow ?? 0,
    block: opened?.block ?? 0,
    challenge: opened?.challenge ?? 0,
  };
  const samples: SampleMark[] = [...(opened?.samples ?? [])];
  const countedThroughMs = members.countedThroughMs;

  const add = (rows: readonly ObservedRow[]): void => {
    for (const row of rows) {
      if (row.isCounted) continue;
      row.markCounted();
      // After a restart, what the wave has counted before is read again.
      if (row.atMs <= countedThroughMs) continue;
      hasChanged = true;
      members.countedThroughMs = Math.max(members.countedThroughMs, row.atMs);
      decisions[actions[row.action] ?? ''] = (decisions[actions[row.action] ?? ''] ?? 0) + 1;
      const mark: SampleMark = [row.atMs, idEndText(row.idEnd)];
      if (actions[row.action] === 'allow') addAllowed(members, mark);
      addMember(members.domains, row.domain);
      if (row.ip !== 0) addMember(members.ips, row.ip);
      if (!addMember(members.addresses, kind === 'network' ? row.spelling : row.address)) continue;
      lastAtMs = Math.max(lastAtMs, row.atMs);
      samples.push(mark);
      // The first ones show how it began, the last ones how it is now.
      if (samples.length > mostSamples) samples.splice(mostSamples / 2, 1);
    }
  };
  const link = (links: ReadonlySet<string>): void => {
    for (const one of links) members.links.add(one);
  };
  return {
    id: opened?.id ?? '',
    isOf: ({ accountId, environment }) => accountId === owner.accountId && environment === owner.environment,
    isSame: (attack) => !members.links.isDisjointFrom(attack.links),
    join(attack, names) {
      add(attack.rows);
      const own = linkOf(kind, key);
      const wider = linkOf(attack.kind, attack.key);
      const isWider =
        kind === 'domain' && attack.kind !== 'domain' && (attack.links.has(own) || members.links.has(wider));
      const name = isWider ? names.of(attack.kind, attack.key) : null;
      if (name !== null) {
        ({ kind, key } = attack);
        renamed = name;
        hasChanged = true;
      }
      link(attack.links);
    },
    add,
    addOwn: (rows) => add(rows.filter((row) => row.key(kind) === key)),
    link,
    hasChanged: () => hasChanged,
    state: (value) => ({
      kind,
      key,
      value: renamed ?? value,
      lastAtMs,
      addresses: members.addresses.size,
      domains: members.domains.size,
      ips: members.ips.size,
      allow: decisions.allow ?? 0,
      block: decisions.block ?? 0,
      challenge: decisions.challenge ?? 0,
      members: encodeMembers(members),
      samples,
    }),
  };
}
