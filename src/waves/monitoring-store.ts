import type { Db } from '../db/db.ts';
import { removeBefore } from '../db/remove-before.ts';
import type { Environment, Owner } from '../http/endpoint.ts';
import type { WaveSettings } from './wave.ts';
import type { WaveKind } from './wave-kind.ts';

/** How an environment is monitored. */
export interface Monitoring {
  readonly settings: WaveSettings;
  readonly firstAtMs: number;
  readonly silent: ReadonlySet<string>;
}

/** The monitored environments, and their hourly history. */
export interface MonitoringStore {
  owners(): Promise<Owner[]>;
  /** The first call for an owner records that it is monitored since `first`, by the current default settings unless it has its own. */
  monitoring(owner: Owner, first: Pick<Monitoring, 'firstAtMs' | 'settings'>, nowMs: number): Promise<Monitoring>;
  /** Values that are judged fine at a moment. */
  silences(nowMs: number): Promise<{ readonly owner: Owner; readonly kind: WaveKind; readonly key: number }[]>;
  addHour(owner: Owner, hour: number, body: Uint8Array): Promise<void>;
  /** Oldest first, without damaged ones. */
  hours(owner: Owner, fromHour: number, beforeHour: number): Promise<{ hour: number; body: Uint8Array }[]>;
  removeHoursBefore(hour: number): Promise<void>;
}

export function createMonitoringStore(db: Db): MonitoringStore {
  return {
    async owners() {
      const rows = await db.read.selectFrom('gates').select(['account_id', 'environment']).distinct().execute();
      return rows.map((row) => ({ accountId: row.account_id, environment: row.environment as Environment }));
    },
    monitoring: (owner, first, nowMs) => monitoring(db, owner, first, nowMs),
    async silences(nowMs) {
      const rows = await db.read.selectFrom('wave_silences').selectAll().where('until', '>', nowMs).execute();
      return rows.map((row) => ({
        owner: { accountId: row.account_id, environment: row.environment as Environment },
        kind: row.kind as WaveKind,
        key: row.key,
      }));
    },
    async addHour({ accountId, environment }, hour, body) {
      await db.background.write
        .insertInto('traffic_hours')
        .values({ account_id: accountId, environment, hour, body })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    async hours({ accountId, environment }, fromHour, beforeHour) {
      const rows = await db.read
        .selectFrom('traffic_hours')
        .select(['hour', 'body'])
        .where('account_id', '=', accountId)
        .where('environment', '=', environment)
        .where('hour', '>=', fromHour)
        .where('hour', '<', beforeHour)
        .orderBy('hour')
        .execute();
      const nameOf = (hour: number): string => `${accountId}/${environment}/${hour}`;
      return rows.filter(({ hour, body }) =>
        db.damagedBlocks.check({ table: 'traffic_hours', name: nameOf(hour) }, body),
      );
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
