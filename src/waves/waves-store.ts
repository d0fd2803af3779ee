import type { Selectable, Transaction } from 'kysely';
import { recordOwnAct } from '../db/audit.ts';
import { recordChange } from '../db/changes.ts';
import type { Db } from '../db/db.ts';
import { removeBefore } from '../db/remove-before.ts';
import type { Schema } from '../db/schema.ts';
import type { Author, Environment, Owner } from '../http/endpoint.ts';
import type { StoredWave, Verdict, WaveSettings, WaveState } from './wave.ts';
import type { WaveKind } from './wave-kind.ts';

/** The topic that announces waves that began, changed, ended or were judged. */
export const wavesTopic = 'waves';

/** Filters waves; they are sorted newest first. */
export interface WaveFilter {
  readonly state?: WaveState;
  readonly kind?: WaveKind;
  /** `beganAtMs` is in this span. */
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Only waves older than this one. */
  readonly beforeId?: string;
}

/** Waves, and the monitoring settings of environments, in the database. */
export interface WavesStore {
  list(owner: Owner, filter: WaveFilter, limit: number): Promise<StoredWave[]>;
  /** Null when the owner has no such wave. */
  find(owner: Owner, id: string): Promise<StoredWave | null>;
  /** The decisions of a wave in chunks, oldest first; see `decodeMembers`. */
  members(id: string): Promise<Uint8Array[]>;
  /** Records a verdict. Its value is silent until `silentUntilMs`; null ends an earlier silence. Null when there is no such wave. */
  judge(
    author: Author,
    id: string,
    verdict: Verdict | null,
    silentUntilMs: number | null,
    nowMs: number,
  ): Promise<StoredWave | null>;
  /** Null while the owner uses the defaults. */
  settings(owner: Owner): Promise<WaveSettings | null>;
  changeSettings(author: Author, settings: WaveSettings, nowMs: number): Promise<void>;
  /** Removes waves that ended before one moment, and silences that end before another. */
  prune(endedBeforeMs: number, nowMs: number): Promise<void>;
  /** Removes waves of an account that are named after erased values, with their silences. */
  removeNamed(accountId: string, kinds: readonly WaveKind[], values: readonly string[]): Promise<void>;
  /** The same for waves that are named after an address at a domain. */
  removeMailboxesAt(accountId: string, domain: string): Promise<void>;
  /** Removes everything of an account. */
  removeAccount(accountId: string): Promise<void>;
}

export function createWavesStore(db: Db): WavesStore {
  return {
    list: (owner, filter, limit) => listWaves(db, owner, filter, limit),
    async find(owner, id) {
      const row = await selectOwn(db.read, owner).where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : toWave(row);
    },
    members: (id) => memberChunks(db, id),
    judge: (author, id, verdict, silentUntilMs, nowMs) =>
      db.transaction(async (trx) => {
        const row = await selectOwn(trx, author).where('id', '=', id).executeTakeFirst();
        if (row === undefined) return null;
        await trx.updateTable('waves').set({ verdict }).where('id', '=', id).execute();
        await recordChange(trx, wavesTopic, '', nowMs);
        await silence(trx, row, silentUntilMs);
        await recordOwnAct(trx, author, { action: 'wave.judged', subject: id, detail: { verdict } }, nowMs);
        return toWave({ ...row, verdict });
      }),
    settings: (owner) => readSettings(db, owner),
    changeSettings: (author, settings, nowMs) => db.transaction((trx) => changeSettings(trx, author, settings, nowMs)),
    async prune(endedBeforeMs, nowMs) {
      await removeBefore(db, 'waves', 'ended_at', endedBeforeMs);
      await removeOrphans(db.background.write);
      await removeBefore(db, 'wave_silences', 'until', nowMs);
    },
    removeNamed: (accountId, kinds, values) =>
      removeWaves(db, accountId, ({ kind, value }) => kinds.includes(kind as WaveKind) && values.includes(value ?? '')),
    removeMailboxesAt: (accountId, domain) =>
      removeWaves(db, accountId, ({ kind, value }) => kind === 'mailbox' && (value ?? '').endsWith(`@${domain}`)),
    removeAccount: (accountId) =>
      db.transaction(async (trx) => {
        for (const table of ['waves', 'wave_settings', 'wave_silences', 'traffic_hours'] as const)
          await trx.deleteFrom(table).where('account_id', '=', accountId).execute();
        await removeOrphans(trx);
      }),
  };
}

async function listWaves(
  db: Db,
  owner: Owner,
  { state, kind, fromMs, toMs, beforeId }: WaveFilter,
  limit: number,
): Promise<StoredWave[]> {
  let query = selectOwn(db.read, owner);
  if (state !== undefined) query = query.where('ended_at', state === 'open' ? 'is' : 'is not', null);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (fromMs !== undefined) query = query.where('began_at', '>=', fromMs);
  if (toMs !== undefined) query = query.where('began_at', '<', toMs);
  if (beforeId !== undefined) query = query.where('id', '<', beforeId);
  return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toWave);
}

async function readSettings(db: Db, { accountId, environment }: Owner): Promise<WaveSettings | null> {
  const row = await db.read
    .selectFrom('wave_settings')
    .select(['enabled', 'min_addresses', 'factor'])
    .where('account_id', '=', accountId)
    .where('environment', '=', environment)
    .executeTakeFirst();
  return row === undefined ? null : { enabled: row.enabled === 1, minAddresses: row.min_addresses, factor: row.factor };
}

async function changeSettings(
  trx: Transaction<Schema>,
  author: Author,
  { enabled, minAddresses, factor }: WaveSettings,
  nowMs: number,
): Promise<void> {
  const { accountId, environment } = author;
  const columns = { enabled: enabled ? 1 : 0, min_addresses: minAddresses, factor };
  await trx
    .insertInto('wave_settings')
    .values({ account_id: accountId, environment, ...columns, first_at: null })
    .onConflict((conflict) => conflict.columns(['account_id', 'environment']).doUpdateSet(columns))
    .execute();
  await recordOwnAct(trx, author, { action: 'wave_settings.changed', subject: environment, detail: columns }, nowMs);
}

/** Removes some waves of an account with their silences and decisions. */
function removeWaves(
  db: Db,
  accountId: string,
  isWanted: (row: Pick<Selectable<Schema['waves']>, 'kind' | 'value'>) => boolean,
): Promise<void> {
  return db.transaction(async (trx) => {
    const own = trx.selectFrom('waves').where('account_id', '=', accountId);
    const rows = await own.select(['id', 'account_id', 'environment', 'kind', 'key', 'value']).execute();
    for (const row of rows.filter(isWanted)) {
      await silence(trx, row, null);
      await trx.deleteFrom('waves').where('id', '=', row.id).execute();
      await trx.deleteFrom('wave_members').where('wave_id', '=', row.id).execute();
    }
  });
}

/** Decisions of removed waves. */
async function removeOrphans(from: Db['write']): Promise<void> {
  await from
    .deleteFrom('wave_members')
    .where('wave_id', 'not in', (select) => select.selectFrom('waves').select('id'))
    .execute();
}

/** Waves without a name are not shown. */
function selectOwn(from: Db['read'], { accountId, environment }: Owner) {
  return from
    .selectFrom('waves')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('environment', '=', environment)
    .where('value', 'is not', null);
}

type Silenced = Pick<Selectable<Schema['waves']>, 'account_id' | 'environment' | 'kind' | 'key'>;

async function silence(
  trx: Transaction<Schema>,
  { account_id, environment, kind, key }: Silenced,
  untilMs: number | null,
): Promise<void> {
  const own = { account_id, environment, kind, key };
  if (untilMs === null) {
    await trx
      .deleteFrom('wave_silences')
      .where((where) => where.and(own))
      .execute();
    return;
  }
  await trx
    .insertInto('wave_silences')
    .values({ ...own, until: untilMs })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'environment', 'kind', 'key']).doUpdateSet({ until: untilMs }),
    )
    .execute();
}

/** The decisions of a wave in chunks, oldest first, without damaged ones. */
export async function memberChunks(
  { damagedBlocks, read }: Db,
  waveId: string,
  from: Db['read'] = read,
): Promise<Uint8Array[]> {
  const chunks = from.selectFrom('wave_members').select(['no', 'body']).where('wave_id', '=', waveId).orderBy('no');
  const nameOf = (no: number): string => `${waveId}/${no}`;
  const intact = (await chunks.execute()).filter(({ no, body }) =>
    damagedBlocks.check({ table: 'wave_members', name: nameOf(no) }, body),
  );
  return intact.map(({ body }) => body);
}

/** A row as the rest of the service knows it. */
export function toWave(row: Selectable<Schema['waves']>): StoredWave {
  return {
    id: row.id,
    owner: { accountId: row.account_id, environment: row.environment as Environment },
    kind: row.kind as WaveKind,
    value: row.value ?? '',
    isSlow: row.slow === 1,
    isStopped: row.stopped === 1,
    beganAtMs: row.began_at,
    lastAtMs: row.last_at,
    endedAtMs: row.ended_at,
    addresses: row.addresses,
    domains: row.domains,
    ips: row.ips,
    allow: row.allow,
    block: row.block,
    challenge: row.challenge,
    usualPerHour: row.usual_per_hour,
    threshold: row.threshold,
    verdict: row.verdict as Verdict | null,
    createdAtMs: row.created_at,
    samples: JSON.parse(row.samples),
  };
}
