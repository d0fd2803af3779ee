import type { Transaction } from 'kysely';
import type { Db } from '../db/db.ts';
import { removeBefore } from '../db/remove-before.ts';
import type { Schema } from '../db/schema.ts';
import type { Environment, Owner } from '../http/endpoint.ts';
import type { HourSummary } from './usual-rates.ts';
import type { SampleMark, StoredWave, WaveKind, WaveSettings } from './wave.ts';
import { toWave } from './waves-store.ts';

/** An open wave with what it has counted. */
export interface OpenWave {
  readonly wave: StoredWave;
  readonly key: number;
  readonly members: Uint8Array;
}

/** What a wave counts; see `Wave`. */
export interface WaveState {
  readonly kind: WaveKind;
  readonly key: number;
  /** Null keeps the value as it is. */
  readonly value: string | null;
  readonly lastAtMs: number;
  readonly addresses: number;
  readonly domains: number;
  readonly ips: number;
  readonly allow: number;
  readonly block: number;
  readonly challenge: number;
  readonly members: Uint8Array;
  readonly samples: readonly SampleMark[];
}

export interface NewWave extends WaveState {
  readonly id: string;
  readonly beganAtMs: number;
  readonly usualPerHour: number;
  readonly bySpellings: boolean;
  readonly createdAtMs: number;
}

/** How an environment is monitored. */
export interface Monitoring {
  readonly settings: WaveSettings;
  readonly firstAtMs: number;
  readonly silent: ReadonlySet<string>;
}

/** Publishes an event of a wave, in the transaction that records it. */
export type NotifyWave = (trx: Transaction<Schema>, wave: StoredWave, event: 'began' | 'ended') => Promise<void>;

/** What the detection reads and writes. */
export interface DetectionStore {
  owners(): Promise<Owner[]>;
  /** The first call for an owner records that it is monitored since `first`, by the current default settings unless it has its own. */
  monitoring(owner: Owner, first: Pick<Monitoring, 'firstAtMs' | 'settings'>, nowMs: number): Promise<Monitoring>;
  openWaves(): Promise<OpenWave[]>;
  /** Open waves without a new address since a moment. */
  idle(sinceMs: number): Promise<{ id: string; lastAtMs: number }[]>;
  /** Whether the value has had a wave since a moment. */
  hasHadWave(owner: Owner, kind: WaveKind, key: number, sinceMs: number): Promise<boolean>;
  raise(owner: Owner, wave: NewWave, notify: NotifyWave): Promise<void>;
  update(id: string, state: WaveState): Promise<void>;
  /** Names a wave that has no name yet. */
  name(id: string, value: string, notify: NotifyWave): Promise<void>;
  /** Waves without a name. */
  unnamed(): Promise<{ id: string; kind: WaveKind; key: number }[]>;
  /** Ends a wave; one without a name is removed. */
  end(id: string, endedAtMs: number, notify: NotifyWave): Promise<void>;
  addHour(owner: Owner, hour: number, body: Uint8Array): Promise<void>;
  hours(owner: Owner, fromHour: number, beforeHour: number): Promise<HourSummary[]>;
  removeHoursBefore(hour: number): Promise<void>;
}

export function createDetectionStore(db: Db): DetectionStore {
  return {
    async owners() {
      const rows = await db.read.selectFrom('gates').select(['account_id', 'environment']).distinct().execute();
      return rows.map((row) => ({ accountId: row.account_id, environment: row.environment as Environment }));
    },
    monitoring: (owner, first, nowMs) => monitoring(db, owner, first, nowMs),
    async openWaves() {
      const rows = await db.read.selectFrom('waves').selectAll().where('ended_at', 'is', null).execute();
      return rows.map((row) => ({ wave: toWave(row), key: row.key, members: row.members }));
    },
    idle: (sinceMs) =>
      db.read
        .selectFrom('waves')
        .select(['id', 'last_at as lastAtMs'])
        .where('ended_at', 'is', null)
        .where('last_at', '<=', sinceMs)
        .execute(),
    async hasHadWave({ accountId, environment }, kind, key, sinceMs) {
      const row = await db.read
        .selectFrom('waves')
        .select('id')
        .where((where) => where.and({ account_id: accountId, environment, kind, key }))
        .where('last_at', '>=', sinceMs)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    raise: (owner, wave, notify) =>
      db.background.transaction(async (trx) => {
        const row = {
          id: wave.id,
          account_id: owner.accountId,
          environment: owner.environment,
          began_at: wave.beganAtMs,
          ended_at: null,
          usual_per_hour: wave.usualPerHour,
          by_spellings: wave.bySpellings ? 1 : 0,
          verdict: null,
          created_at: wave.createdAtMs,
          value: wave.value,
          ...columnsOf(wave),
        };
        await trx.insertInto('waves').values(row).execute();
        if (wave.value !== null) await notify(trx, toWave(row), 'began');
      }),
    async update(id, state) {
      const value = state.value === null ? {} : { value: state.value };
      await db.background.write
        .updateTable('waves')
        .set({ ...columnsOf(state), ...value })
        .where('id', '=', id)
        .execute();
    },
    name: (id, value, notify) =>
      db.background.transaction(async (trx) => {
        const named = trx.updateTable('waves').set({ value }).where('id', '=', id).where('value', 'is', null);
        const row = await named.returningAll().executeTakeFirst();
        if (row !== undefined) await notify(trx, toWave(row), 'began');
      }),
    async unnamed() {
      const rows = await db.read
        .selectFrom('waves')
        .select(['id', 'kind', 'key'])
        .where('ended_at', 'is', null)
        .where('value', 'is', null)
        .execute();
      return rows.map((row) => ({ ...row, kind: row.kind as WaveKind }));
    },
    end: (id, endedAtMs, notify) =>
      db.background.transaction(async (trx) => {
        const ended = trx.updateTable('waves').set({ ended_at: endedAtMs }).where('id', '=', id);
        const row = await ended.where('ended_at', 'is', null).returningAll().executeTakeFirst();
        if (row === undefined) return;
        if (row.value === null) await trx.deleteFrom('waves').where('id', '=', id).execute();
        else await notify(trx, toWave(row), 'ended');
      }),
    async addHour({ accountId, environment }, hour, body) {
      await db.background.write
        .insertInto('traffic_hours')
        .values({ account_id: accountId, environment, hour, body })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    hours({ accountId, environment }, fromHour, beforeHour) {
      return db.read
        .selectFrom('traffic_hours')
        .select(['hour', 'body'])
        .where('account_id', '=', accountId)
        .where('environment', '=', environment)
        .where('hour', '>=', fromHour)
        .where('hour', '<', beforeHour)
        .execute();
    },
    removeHoursBefore: (hour) => removeBefore(db, 'traffic_hours', 'hour', hour),
  };
}

async function monitoring(
  db: Db,
  owner: Owner,
  first: Pick<Monitoring, 'firstAtMs' | 'settings'>,
  nowMs: number,
): Promise<Monitoring> {
  const own = { account_id: owner.accountId, environment: owner.environment };
  const row = await db.read
    .selectFrom('wave_settings')
    .selectAll()
    .where((where) => where.and(own))
    .executeTakeFirst();
  const silent = await db.read
    .selectFrom('wave_silences')
    .select(['kind', 'key'])
    .where((where) => where.and(own))
    .where('until', '>', nowMs)
    .execute();
  if (row === undefined || row.first_at === null) {
    const { enabled, minAddresses, factor } = first.settings;
    await db.background.write
      .insertInto('wave_settings')
      .values({ ...own, enabled: enabled ? 1 : 0, min_addresses: minAddresses, factor, first_at: first.firstAtMs })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'environment']).doUpdateSet({ first_at: first.firstAtMs }),
      )
      .execute();
  }
  const settings =
    row === undefined
      ? first.settings
      : { enabled: row.enabled === 1, minAddresses: row.min_addresses, factor: row.factor };
  return {
    settings,
    firstAtMs: row?.first_at ?? first.firstAtMs,
    silent: new Set(silent.map(({ kind, key }) => `${kind}:${key}`)),
  };
}

function columnsOf(state: WaveState) {
  return {
    kind: state.kind,
    key: state.key,
    last_at: state.lastAtMs,
    addresses: state.addresses,
    domains: state.domains,
    ips: state.ips,
    allow: state.allow,
    block: state.block,
    challenge: state.challenge,
    members: state.members,
    samples: JSON.stringify(state.samples),
  };
}
