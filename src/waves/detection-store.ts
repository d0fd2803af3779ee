import type { Transaction } from 'kysely';
import { recordChange } from '../db/changes.ts';
import type { Db } from '../db/db.ts';
import type { Schema } from '../db/schema.ts';
import type { Environment, Owner } from '../http/endpoint.ts';
import { createMonitoringStore, type MonitoringStore } from './monitoring-store.ts';
import type { SampleMark, StoredWave } from './wave.ts';
import type { WaveKind } from './wave-kind.ts';
import type { WaveMember } from './wave-members.ts';
import { memberChunks, toWave, wavesTopic } from './waves-store.ts';

/** A value that surged, as a link, and the moment its surge ended. */
export type SharedValue = readonly [link: string, untilMs: number];

/** An open wave with its counts. */
export interface OpenWaveRecord
  extends Pick<WaveCounts, 'key' | 'values' | 'links' | 'aboveUntilMs' | 'countedThroughMs'> {
  readonly wave: StoredWave;
  readonly members: readonly WaveMember[];
}

/** A wave's counts, and the values by which later decisions belong to it; see `Wave`. */
export interface WaveCounts {
  readonly kind: WaveKind;
  readonly key: number;
  readonly isSlow: boolean;
  readonly isStopped: boolean;
  /** Values that surged, as links; a decision with one of them belongs to the wave until that value's moment. */
  readonly values: readonly SharedValue[];
  readonly links: readonly string[];
  readonly aboveUntilMs: number;
  readonly countedThroughMs: number;
  readonly lastAtMs: number;
  readonly addresses: number;
  readonly domains: number;
  readonly ips: number;
  readonly allow: number;
  readonly block: number;
  readonly challenge: number;
  readonly samples: readonly SampleMark[];
}

export interface NewWave extends WaveCounts {
  readonly id: string;
  /** Null until a process knows it. */
  readonly value: string | null;
  readonly beganAtMs: number;
  readonly usualPerHour: number;
  readonly threshold: number | null;
  readonly createdAtMs: number;
}

/** An open wave as decisions need it. */
export interface ActiveWave {
  readonly id: string;
  readonly owner: Owner;
  readonly values: readonly SharedValue[];
  readonly isFine: boolean;
}

/** Publishes an event of a wave, in the transaction that records it. */
export type NotifyWave = (trx: Transaction<Schema>, wave: StoredWave, event: 'began' | 'ended') => Promise<void>;

/** Open waves, as the detection reads and writes them. */
export interface DetectionStore extends MonitoringStore {
  /** Open waves, without their decisions. */
  activeWaves(): Promise<ActiveWave[]>;
  /** The ids of waves that ended at or after a moment. */
  endedSince(atMs: number): Promise<string[]>;
  /** A wave with its decisions in chunks; null when it was removed. */
  storedWave(
    id: string,
  ): Promise<(Omit<OpenWaveRecord, 'members'> & { readonly chunks: readonly Uint8Array[] }) | null>;
  /** Open waves none of whose values has surged within the wave's window before a moment, and when each of them ended. */
  finished(atMs: number): Promise<{ id: string; endedAtMs: number }[]>;
  /** Raises a wave with its first decisions. */
  raise(owner: Owner, wave: NewWave, members: Uint8Array, notify: NotifyWave): Promise<void>;
  /** Updates a wave, appends decisions (null: none) and renames it (null: not). */
  update(id: string, counts: WaveCounts, members: Uint8Array | null, value: string | null): Promise<void>;
  /** Names a wave that has no name yet. */
  name(id: string, value: string, notify: NotifyWave): Promise<void>;
  /** Waves without a name. */
  unnamed(): Promise<{ id: string; kind: WaveKind; key: number; values: readonly string[] }[]>;
  /** Ends a wave; one without a name is removed. */
  end(id: string, endedAtMs: number, notify: NotifyWave): Promise<void>;
}

export function createDetectionStore(db: Db): DetectionStore {
  return {
    ...createMonitoringStore(db),
    activeWaves: () => activeWaves(db),
    storedWave: (id) => storedWave(db, id),
    async endedSince(atMs) {
      const rows = await db.read.selectFrom('waves').select('id').where('ended_at', '>=', atMs).execute();
      return rows.map(({ id }) => id);
    },
    finished: (atMs) => finishedWaves(db, atMs),
    raise: (owner, wave, members, notify) =>
      db.background.transaction(async (trx) => {
        const row = rowOf(owner, wave);
        await trx.insertInto('waves').values(row).execute();
        await trx.insertInto('wave_members').values({ wave_id: wave.id, no: 0, body: members }).execute();
        await recordChange(trx, wavesTopic, '', wave.createdAtMs);
        if (wave.value !== null) await notify(trx, toWave(row), 'began');
      }),
    update: (id, counts, members, value) =>
      db.background.transaction(async (trx) => {
        const named = value === null ? {} : { value };
        const changed = trx
          .updateTable('waves')
          .set({ ...columnsOf(counts), ...named })
          .where('id', '=', id);
        const { numUpdatedRows } = await changed.executeTakeFirst();
        await recordChange(trx, wavesTopic, '', counts.lastAtMs);
        if (members === null || numUpdatedRows === 0n) return;
        const last = await trx
          .selectFrom('wave_members')
          .select((select) => select.fn.max('no').as('no'))
          .where('wave_id', '=', id)
          .executeTakeFirst();
        const no = (last?.no ?? -1) + 1;
        await trx.insertInto('wave_members').values({ wave_id: id, no, body: members }).execute();
      }),
    name: (id, value, notify) =>
      db.background.transaction(async (trx) => {
        const named = trx.updateTable('waves').set({ value }).where('id', '=', id).where('value', 'is', null);
        const row = await named.returningAll().executeTakeFirst();
        if (row !== undefined) await notify(trx, toWave(row), 'began');
      }),
    unnamed: () => unnamedWaves(db),
    end: (id, endedAtMs, notify) => db.background.transaction((trx) => endWave(trx, id, endedAtMs, notify)),
  };
}

async function activeWaves(db: Db): Promise<ActiveWave[]> {
  const rows = await db.read
    .selectFrom('waves')
    .select(['id', 'account_id', 'environment', 'shared_values', 'verdict'])
    .where('ended_at', 'is', null)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    owner: { accountId: row.account_id, environment: row.environment as Environment },
    values: JSON.parse(row.shared_values) as SharedValue[],
    isFine: row.verdict === 'fine',
  }));
}

async function finishedWaves(db: Db, atMs: number): Promise<{ id: string; endedAtMs: number }[]> {
  const rows = await db.read
    .selectFrom('waves')
    .select(['id', 'above_until', 'slow'])
    .where('ended_at', 'is', null)
    .where('above_until', '<=', atMs - windowMs(0))
    .execute();
  return rows
    .map((row) => ({ id: row.id, endedAtMs: row.above_until + windowMs(row.slow) }))
    .filter(({ endedAtMs }) => endedAtMs <= atMs);
}

async function unnamedWaves(db: Db): Promise<{ id: string; kind: WaveKind; key: number; values: readonly string[] }[]> {
  const rows = await db.read
    .selectFrom('waves')
    .select(['id', 'kind', 'key', 'shared_values'])
    .where('ended_at', 'is', null)
    .where('value', 'is', null)
    .execute();
  return rows.map(({ id, kind, key, shared_values }) => ({
    id,
    kind: kind as WaveKind,
    key,
    values: (JSON.parse(shared_values) as SharedValue[]).map(([link]) => link),
  }));
}

async function endWave(trx: Transaction<Schema>, id: string, endedAtMs: number, notify: NotifyWave): Promise<void> {
  const ended = trx.updateTable('waves').set({ ended_at: endedAtMs }).where('id', '=', id);
  const row = await ended.where('ended_at', 'is', null).returningAll().executeTakeFirst();
  if (row === undefined) return;
  await recordChange(trx, wavesTopic, '', endedAtMs);
  if (row.value === null) {
    await trx.deleteFrom('waves').where('id', '=', id).execute();
    await trx.deleteFrom('wave_members').where('wave_id', '=', id).execute();
  } else await notify(trx, toWave(row), 'ended');
}

const windowMs = (slow: number): number => (slow === 1 ? 86_400_000 : 3_600_000);

async function storedWave(db: Db, id: string): ReturnType<DetectionStore['storedWave']> {
  const own = db.read.selectFrom('waves').selectAll().where('id', '=', id);
  const row = await own.executeTakeFirst();
  if (row === undefined) return null;
  return {
    wave: toWave(row),
    key: row.key,
    values: JSON.parse(row.shared_values),
    links: JSON.parse(row.links),
    aboveUntilMs: row.above_until,
    countedThroughMs: row.counted_through,
    chunks: await memberChunks(db, id),
  };
}

function rowOf(owner: Owner, wave: NewWave) {
  return {
    id: wave.id,
    account_id: owner.accountId,
    environment: owner.environment,
    began_at: wave.beganAtMs,
    ended_at: null,
    usual_per_hour: wave.usualPerHour,
    threshold: wave.threshold,
    verdict: null,
    created_at: wave.createdAtMs,
    value: wave.value,
    ...columnsOf(wave),
  };
}

function columnsOf(counts: WaveCounts) {
  return {
    kind: counts.kind,
    key: counts.key,
    slow: counts.isSlow ? 1 : 0,
    stopped: counts.isStopped ? 1 : 0,
    shared_values: JSON.stringify(counts.values),
    links: JSON.stringify(counts.links),
    above_until: counts.aboveUntilMs,
    counted_through: counts.countedThroughMs,
    last_at: counts.lastAtMs,
    addresses: counts.addresses,
    domains: counts.domains,
    ips: counts.ips,
    allow: counts.allow,
    block: counts.block,
    challenge: counts.challenge,
    samples: JSON.stringify(counts.samples),
  };
}
