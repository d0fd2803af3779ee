import type { Selectable, Transaction } from 'kysely';
import type { Actor, ActorKind } from '../actor.ts';
import type { Db } from '../db/db.ts';
import type { Schema } from '../db/schema.ts';
import type { GateRevisionsTable } from '../db/tables/gate-tables.ts';
import { compressBytes, decompressBytes } from '../platform/block-codec.ts';
import type { Gate } from './gate.ts';
import type { GateChanges } from './gate-audit-store.ts';
import type { Action } from './rules/action.ts';

/** The fields of a gate that can change, and that a revision stores. */
export type GateState = Pick<Gate, 'name' | 'description' | 'defaultAction' | 'wait' | 'rules'>;

/** A state of a gate, without its rules. */
export interface RevisionSummary {
  readonly gateId: string;
  readonly revision: number;
  readonly changedAtMs: number;
  /** Null for a revision from before changes were recorded. */
  readonly changedBy: Pick<Actor, 'kind' | 'id'> | null;
  readonly changes: GateChanges;
  readonly name: string;
  readonly defaultAction: Action;
  readonly rulesCount: number;
}

export type Revision = Omit<RevisionSummary, 'name' | 'defaultAction' | 'rulesCount'> & GateState;

/** The revisions of gates in the database. Callers check who owns the gate. */
export interface RevisionsStore {
  /** Newest first, those before a number. */
  list(gateId: string, limit: number, before: number | null): Promise<RevisionSummary[]>;
  find(gateId: string, revision: number): Promise<Revision | null>;
  /** The newest of each of these gates. */
  newest(gates: readonly Pick<Gate, 'id' | 'revision'>[]): Promise<RevisionSummary[]>;
}

/** So many revisions of a gate are kept, and so many bytes of all revisions of an account: a gate may be a megabyte. */
export const keptRevisions = { perGate: 200, bytesPerAccount: 50_000_000 } as const;

const summaryColumns = [
  'gate_id',
  'revision',
  'changed_at',
  'actor_kind',
  'actor_id',
  'name',
  'default_action',
  'rules_count',
  'changes',
] as const;

export function createRevisionsStore(db: Db): RevisionsStore {
  const summaries = db.read.selectFrom('gate_revisions').select(summaryColumns);
  return {
    async list(gateId, limit, before) {
      let query = summaries.where('gate_id', '=', gateId);
      if (before !== null) query = query.where('revision', '<', before);
      return (await query.orderBy('revision', 'desc').limit(limit).execute()).map(toSummary);
    },
    async find(gateId, revision) {
      const query = db.read.selectFrom('gate_revisions').selectAll();
      const row = await query.where('gate_id', '=', gateId).where('revision', '=', revision).executeTakeFirst();
      if (row === undefined) return null;
      const { gateId: id, changedAtMs, changedBy, changes } = toSummary(row);
      return { gateId: id, revision, changedAtMs, changedBy, changes, ...stateIn(row.body) };
    },
    async newest(gates) {
      if (gates.length === 0) return [];
      const query = summaries.where(({ or, eb }) =>
        or(gates.map(({ id, revision }) => eb.and([eb('gate_id', '=', id), eb('revision', '=', revision)]))),
      );
      return (await query.execute()).map(toSummary);
    },
  };
}

function stateIn(body: Uint8Array): GateState {
  return JSON.parse(decompressBytes(body).toString()) as GateState;
}

/** Records a revision of an account's gate, inside the transaction of the change, and removes the oldest beyond the limits. */
export async function recordRevision(
  trx: Transaction<Schema>,
  accountId: string,
  { by, gate, changes }: { readonly by: Actor | null; readonly gate: Gate; readonly changes: GateChanges },
  nowMs: number,
): Promise<void> {
  const { name, description, defaultAction, wait, rules } = gate;
  const state: GateState = { name, description, defaultAction, wait, rules };
  const body = compressBytes(JSON.stringify(state));
  const changesText = JSON.stringify(changes);
  await trx
    .insertInto('gate_revisions')
    .values({
      gate_id: gate.id,
      revision: gate.revision,
      changed_at: nowMs,
      actor_kind: by?.kind ?? null,
      actor_id: by?.id ?? null,
      name,
      default_action: defaultAction,
      rules_count: rules.length,
      changes: changesText,
      size: body.length + changesText.length,
      body,
    })
    .execute();
  const excess = trx.deleteFrom('gate_revisions').where('gate_id', '=', gate.id);
  await excess.where('revision', '<=', gate.revision - keptRevisions.perGate).execute();
  await removeOldest(trx, accountId, gate);
}

/** Removes the oldest revisions of an account, except the one just recorded, until its bytes are within the limit. */
async function removeOldest(trx: Transaction<Schema>, accountId: string, { id, revision }: Gate): Promise<void> {
  const gateIds = trx.selectFrom('gates').select('id').where('account_id', '=', accountId);
  const all = trx.selectFrom('gate_revisions').where('gate_id', 'in', gateIds);
  const { total } = await all
    .select((row) => row.fn.sum<number | string>('size').as('total'))
    .executeTakeFirstOrThrow();
  let excess = Number(total) - keptRevisions.bytesPerAccount;
  while (excess > 0) {
    const oldest = await all
      .select(['gate_id', 'revision', 'size'])
      .where((row) => row.not(row.and([row('gate_id', '=', id), row('revision', '=', revision)])))
      .orderBy('changed_at')
      .orderBy('revision')
      .limit(1)
      .executeTakeFirst();
    if (oldest === undefined) return;
    excess -= oldest.size;
    const one = trx.deleteFrom('gate_revisions').where('gate_id', '=', oldest.gate_id);
    await one.where('revision', '=', oldest.revision).execute();
  }
}

/**
 * Rewrites the earlier revisions of an account's gates, and the list of changes of the current ones, with `rewrite`. Live rules stay;
 * returns the gates that have one which `rewrite` would change.
 */
export async function rewriteRevisions(
  db: Db,
  accountId: string,
  rewrite: (text: string) => string,
): Promise<{ id: string; name: string }[]> {
  const gates = await db.read.selectFrom('gates').selectAll().where('account_id', '=', accountId).execute();
  const live: { id: string; name: string }[] = [];
  for (const gate of gates) {
    const rules = await db.read.selectFrom('gate_rules').selectAll().where('gate_id', '=', gate.id).execute();
    const state = JSON.stringify([gate, rules]);
    if (rewrite(state) !== state) live.push(gate);
    const numbers = db.read.selectFrom('gate_revisions').select('revision').where('gate_id', '=', gate.id);
    // One at a time: a revision may be a megabyte.
    for (const { revision } of await numbers.execute()) await rewriteRevision(db, gate, revision, rewrite);
  }
  return live;
}

async function rewriteRevision(
  db: Db,
  gate: { readonly id: string; readonly revision: number },
  revision: number,
  rewrite: (text: string) => string,
): Promise<void> {
  const row = await db.read
    .selectFrom('gate_revisions')
    .select(['name', 'changes', 'body'])
    .where('gate_id', '=', gate.id)
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (row === undefined) return;
  const state = decompressBytes(row.body).toString();
  const isCurrent = revision === gate.revision;
  const [name, body] = isCurrent ? [row.name, state] : [rewrite(row.name), rewrite(state)];
  const changes = rewrite(row.changes);
  if (name === row.name && body === state && changes === row.changes) return;
  const packed = compressBytes(body);
  await db.write
    .updateTable('gate_revisions')
    .set({ name, changes, body: packed, size: packed.length + changes.length })
    .where('gate_id', '=', gate.id)
    .where('revision', '=', revision)
    .execute();
}

/** Removes the revisions of a gate, inside the transaction that removes the gate. */
export async function removeRevisions(trx: Transaction<Schema>, gateId: string): Promise<void> {
  await trx.deleteFrom('gate_revisions').where('gate_id', '=', gateId).execute();
}

function toSummary(row: Pick<Selectable<GateRevisionsTable>, (typeof summaryColumns)[number]>): RevisionSummary {
  const { actor_kind: kind, actor_id: id } = row;
  return {
    gateId: row.gate_id,
    revision: row.revision,
    changedAtMs: row.changed_at,
    changedBy: kind === null || id === null ? null : { kind: kind as ActorKind, id },
    changes: JSON.parse(row.changes) as GateChanges,
    name: row.name,
    defaultAction: row.default_action as Action,
    rulesCount: row.rules_count,
  };
}
