import type { Owner } from '../../http/endpoint.ts';
import { createYielder } from '../../platform/yielding.ts';
import { ulid } from '../../ulid.ts';
import type { DetectionStore, NotifyWave } from '../detection-store.ts';
import { linkOf } from '../links.ts';
import { standardSettings } from '../wave.ts';
import { encodeMembers } from '../wave-members.ts';
import type { WaveNames } from '../wave-names.ts';
import { type Attack, findAttacks } from './attacks.ts';
import type { Histories } from './histories.ts';
import type { ObservedRow } from './observed-row.ts';
import type { OpenWave } from './open-wave.ts';
import type { OpenWaves } from './open-waves.ts';
import { type Circumstances, findSurges } from './surges.ts';
import { thresholds } from './thresholds.ts';
import { countMembers } from './value-groups.ts';

/** Examines one environment's rows and raises, continues and renames its waves. */
export interface EnvironmentWatch {
  /** `rows` are a day's, oldest first; slow waves are detected only if `isSlowDue`. */
  examine(owner: Owner, rows: readonly ObservedRow[], isSlowDue: boolean): Promise<void>;
  /** Waves raised, by whether rules stopped them already. */
  raised(): { readonly open: number; readonly stopped: number };
}

export interface EnvironmentWatchParts {
  readonly store: Pick<DetectionStore, 'monitoring' | 'raise' | 'update'>;
  readonly histories: Histories;
  readonly open: OpenWaves;
  readonly names: Pick<WaveNames, 'of'>;
  readonly notify: NotifyWave;
  readonly now: () => number;
  readonly monotonicMs: () => number;
}

type Silent = Circumstances['silent'];

export function createEnvironmentWatch(parts: EnvironmentWatchParts): EnvironmentWatch {
  const { store, histories, open, names, notify, now, monotonicMs } = parts;
  const raised = { open: 0, stopped: 0 };

  const raise = async (owner: Owner, attack: Attack, isSlow: boolean): Promise<void> => {
    const fresh = attack.rows.filter((row) => row.wave === 0);
    const { kind, key, values, links, untilMs } = attack;
    const value = names.of(kind, key, [...values.keys()]);
    const created = {
      id: ulid(now()).toLowerCase(),
      owner,
      kind,
      value: value ?? '',
      isSlow,
      isStopped: false,
      beganAtMs: fresh[0]?.atMs ?? now(),
      endedAtMs: null,
      usualPerHour: Math.round(attack.usualPerHour * 100) / 100,
      threshold: Math.min(attack.surge.needed, attack.surge.count),
      verdict: null,
      createdAtMs: now(),
      lastAtMs: 0,
      ...{ addresses: 0, domains: 0, ips: 0, allow: 0, block: 0, challenge: 0 },
      samples: [],
    };
    const wave = open.add({
      wave: created,
      key,
      values: [...values],
      links: [...links],
      aboveUntilMs: untilMs,
      countedThroughMs: 0,
      members: [],
    });
    wave.count(fresh);
    const changes = wave.takeChanges();
    const { counts, members } = changes ?? { counts: wave.counts(), members: [] };
    await store.raise(owner, { ...created, ...counts, value }, encodeMembers(members), notify);
    raised[counts.isStopped ? 'stopped' : 'open'] += 1;
  };
  /** Attacks outside the open waves are new waves if enough of their members count for no other. */
  const follow = async (owner: Owner, found: readonly Attack[], isSlow: boolean, silent: Silent): Promise<void> => {
    // Networks that surge together may be named after a block or an autonomous system that was judged fine.
    const attacks = found.filter(({ kind, key }) => !silent.has(linkOf(kind, key)));
    for (const attack of attacks) {
      const same = open.ofOwner(owner).find((wave) => !wave.isFine && wave.isSame(attack));
      if (same !== undefined) join(same, attack, isSlow, now());
      else if (isNew(attack)) await raise(owner, attack, isSlow);
    }
  };
  const save = async (owner: Owner): Promise<void> => {
    for (const wave of open.ofOwner(owner)) {
      wave.forget(now());
      const changes = wave.takeChanges();
      if (changes === null) continue;
      const { counts, members } = changes;
      const value = wave.takeRenamed() ? names.of(counts.kind, counts.key, [...wave.values.keys()]) : null;
      await store.update(wave.id, counts, members.length === 0 ? null : encodeMembers(members), value);
    }
  };
  return {
    async examine(owner, rows, isSlowDue) {
      const nowMs = now();
      const first = { firstAtMs: rows[0]?.atMs ?? nowMs, settings: standardSettings };
      const { settings, firstAtMs, silent } = await store.monitoring(owner, first, nowMs);
      if (!settings.enabled) return;
      const yieldWhenDue = createYielder(monotonicMs);
      const history = await histories.of(owner, firstAtMs, nowMs, yieldWhenDue);
      const continued = new Set(
        open.ofOwner(owner).flatMap(({ isSlow, values }) => (isSlow ? [...values.keys()] : [])),
      );
      const circumstances: Circumstances = { settings, knownMs: nowMs - firstAtMs, history, silent, continued, nowMs };
      const hour = rows.slice(firstSince(rows, nowMs - thresholds.windowMs));
      const surges = await findSurges(hour, thresholds.windowMs, circumstances, yieldWhenDue);
      await follow(owner, await findAttacks(surges, circumstances.knownMs, yieldWhenDue), false, silent);
      if (isSlowDue && circumstances.knownMs >= thresholds.slowKnownMs) {
        const day = rows.filter(
          (row) => row.atMs >= nowMs - thresholds.slowMs && (row.wave === 0 || open.isSlow(row.wave)),
        );
        const slow = await findSurges(day, thresholds.slowMs, circumstances, yieldWhenDue);
        await follow(owner, await findAttacks(slow, circumstances.knownMs, yieldWhenDue), true, silent);
      }
      await save(owner);
    },
    raised: () => raised,
  };
}

/** A fast wave whose addresses continue to arrive, too slowly for an hour, becomes a slow one. */
function join(wave: OpenWave, attack: Attack, isSlow: boolean, nowMs: number): void {
  if (isSlow && !wave.isSlow) {
    if (wave.aboveUntilMs > nowMs) return;
    wave.isSlow = true;
  }
  wave.join(attack);
}

/** Rows counted by an earlier wave raise no second one. */
function isNew({ rows, surge }: Attack): boolean {
  const fresh = rows.filter((row) => row.wave === 0);
  return countMembers(fresh, surge.detected) >= Math.min(surge.needed, surge.count);
}

/** The index of the first row since a moment; rows are in the order of their times. */
function firstSince(rows: readonly ObservedRow[], atMs: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] as ObservedRow).atMs < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
