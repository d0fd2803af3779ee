import type { Selectable, Transaction } from 'kysely';
import { recordOwnAct } from '../db/audit.ts';
import { recordChange } from '../db/changes.ts';
import type { Db } from '../db/db.ts';
import { ownedBy } from '../db/owned-by.ts';
import type { Schema } from '../db/schema.ts';
import type { SecretBox } from '../db/secret-box.ts';
import type { HooksTable } from '../db/tables/hook-tables.ts';
import type { Author, Environment, Owner } from '../http/endpoint.ts';
import { scopeOf } from '../owner-scope.ts';
import type { FormatName } from './formats/all.ts';
import type { Hook, HookAnswerName, HookSecrets, HookSettings } from './hook.ts';

/** The topic of changes to hooks; the scope is the owner's. */
export const hooksTopic = 'hooks';

/** A new secret, and how long the previous one is still accepted; null ends it immediately. */
export interface Rotation {
  readonly secret: string;
  readonly oldUntilMs: number | null;
}

export interface HooksStore {
  /** Every hook of every owner: calls name only the hook. */
  all(): Promise<Hook[]>;
  /** Newest first. */
  list(owner: Owner): Promise<Hook[]>;
  /** Null when the owner has no such hook. */
  find(owner: Owner, id: string): Promise<Hook | null>;
  /** False when the owner already has `max` hooks. */
  insert(author: Author, hook: Hook, max: number): Promise<boolean>;
  /** Returns the changed hook; null when the owner has no such hook. */
  change(author: Author, id: string, change: Partial<HookSettings>, nowMs: number): Promise<Hook | null>;
  rotate(author: Author, id: string, rotation: Rotation, nowMs: number): Promise<Hook | null>;
  /** False when the owner has no such hook. */
  remove(author: Author, id: string, nowMs: number): Promise<boolean>;
}

export function createHooksStore(db: Db): HooksStore {
  const { secrets } = db;
  const toHook = (row: Selectable<HooksTable>): Hook => hookOf(row, secrets);
  return {
    all: async () => (await db.read.selectFrom('hooks').selectAll().execute()).map(toHook),
    list: async (owner) => (await selectOwn(db.read, owner).orderBy('id', 'desc').execute()).map(toHook),
    async find(owner, id) {
      const row = await selectOwn(db.read, owner).where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : toHook(row);
    },
    insert: (author, hook, max) =>
      db.transaction(async (trx) => {
        // This row also serves as the lock for counting the owner's hooks.
        await recordChange(trx, hooksTopic, scopeOf(author), hook.createdAtMs);
        if ((await selectOwn(trx, author).execute()).length >= max) return false;
        const { id: subject, format, gateId: gate_id, createdAtMs } = hook;
        await trx.insertInto('hooks').values(rowOf(hook, secrets)).execute();
        const act = { action: 'hook.created', subject, detail: { format, gate_id } };
        await recordOwnAct(trx, author, act, createdAtMs);
        return true;
      }),
    change: (author, id, change, nowMs) =>
      db.transaction(async (trx) => {
        const columns = columnsOf(change);
        const row = await update(trx, author, id, { ...columns, updated_at: nowMs });
        if (row === undefined) return null;
        const detail = { fields: Object.keys(columns) };
        await recordOwnAct(trx, author, { action: 'hook.changed', subject: id, detail }, nowMs);
        await recordChange(trx, hooksTopic, scopeOf(author), nowMs);
        return toHook(row);
      }),
    rotate: (author, id, { secret, oldUntilMs }, nowMs) =>
      db.transaction(async (trx) => {
        const before = await selectOwn(trx, author).where('id', '=', id).executeTakeFirst();
        const isKept = oldUntilMs !== null && (before?.secret ?? null) !== null;
        const row = await update(trx, author, id, {
          secret: secrets.seal(secret),
          old_secret: isKept ? (before?.secret ?? null) : null,
          old_secret_until: isKept ? oldUntilMs : null,
          updated_at: nowMs,
        });
        if (row === undefined) return null;
        const detail = { keep_old: isKept };
        await recordOwnAct(trx, author, { action: 'hook.secret_rotated', subject: id, detail }, nowMs);
        await recordChange(trx, hooksTopic, scopeOf(author), nowMs);
        return toHook(row);
      }),
    remove: (author, id, nowMs) => db.transaction((trx) => removeHook(trx, author, id, nowMs)),
  };
}

async function removeHook(trx: Transaction<Schema>, author: Author, id: string, nowMs: number): Promise<boolean> {
  const removed = await trx.deleteFrom('hooks').where('id', '=', id).where(ownedBy(author)).executeTakeFirst();
  if (removed.numDeletedRows === 0n) return false;
  await trx.deleteFrom('hook_calls').where('hook_id', '=', id).execute();
  await recordOwnAct(trx, author, { action: 'hook.removed', subject: id }, nowMs);
  await recordChange(trx, hooksTopic, scopeOf(author), nowMs);
  return true;
}

/** The number of hooks whose secret this service cannot decrypt. */
export async function countUnreadableHookSecrets(db: Db): Promise<number> {
  const rows = await db.read.selectFrom('hooks').select('secret').where('secret', 'is not', null).execute();
  return rows.filter(({ secret }) => db.secrets.open(secret ?? '') === null).length;
}

function selectOwn(from: Db['read'], owner: Owner) {
  return from.selectFrom('hooks').selectAll().where(ownedBy(owner));
}

function update(
  trx: Transaction<Schema>,
  owner: Owner,
  id: string,
  columns: Partial<Selectable<HooksTable>>,
): Promise<Selectable<HooksTable> | undefined> {
  return trx
    .updateTable('hooks')
    .set(columns)
    .where('id', '=', id)
    .where(ownedBy(owner))
    .returningAll()
    .executeTakeFirst();
}

/** The columns of the given settings. */
function columnsOf({ name, gateId, enabled, challenge, unavailable, message }: Partial<HookSettings>) {
  const flag = enabled === undefined ? undefined : enabled ? 1 : 0;
  const columns = { name, gate_id: gateId, enabled: flag, challenge, unavailable, message };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

function rowOf(hook: Hook, secrets: SecretBox): Selectable<HooksTable> {
  const { current } = hook.secrets;
  return {
    id: hook.id,
    account_id: hook.owner.accountId,
    environment: hook.owner.environment,
    name: hook.name,
    gate_id: hook.gateId,
    format: hook.format,
    enabled: hook.enabled ? 1 : 0,
    challenge: hook.challenge,
    unavailable: hook.unavailable,
    message: hook.message,
    secret: current === null ? null : secrets.seal(current),
    old_secret: null,
    old_secret_until: null,
    last_call_at: null,
    last_error: null,
    created_at: hook.createdAtMs,
    updated_at: hook.updatedAtMs,
  };
}

function hookOf(row: Selectable<HooksTable>, box: SecretBox): Hook {
  return {
    id: row.id,
    owner: { accountId: row.account_id, environment: row.environment as Environment },
    name: row.name,
    gateId: row.gate_id,
    format: row.format as FormatName,
    enabled: row.enabled === 1,
    challenge: row.challenge as HookAnswerName,
    unavailable: row.unavailable as HookAnswerName,
    message: row.message,
    secrets: secretsOf(row, box),
    lastCallAtMs: row.last_call_at,
    lastError: row.last_error,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  };
}

function secretsOf(
  { secret, old_secret: old, old_secret_until: untilMs }: Selectable<HooksTable>,
  box: SecretBox,
): HookSecrets {
  return {
    current: secret === null ? null : box.open(secret),
    isSet: secret !== null,
    old: old === null || untilMs === null ? null : { secret: box.open(old), untilMs },
  };
}
