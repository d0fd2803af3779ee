import type { Selectable, Transaction } from 'kysely';
import type { Actor, ActorKind } from '../actor.ts';
import type { Db } from '../db/db.ts';
import type { Schema } from '../db/schema.ts';
import type { GateRevisionsTable } from '../db/tables/gate-tables.ts';
import type { Gate } from './gate.ts';
import type { GateChanges } from './gate-audit-store.ts';
import type { Action } from './rules/action.ts';

/** What of a gate can be changed, and so what a state of it is. */
export type GateState = Pick<Gate, 'name' | 'description' | 'defaultAction' | 'wait' | 'rules'>;

/** A state of a gate, without its rules. */
export interface RevisionSummary {
  readonly gateId: string;
  readonly revision: number;
  readonly changedAtMs: number;
  /** Null for a state that is older than that changes are kept. */
  readonly changedBy: Pick<Actor, 'kind' | 'id'> | null;
  readonly changes: GateChanges;
  readonly name: string;
  readonly defaultAction: Action;
  readonly rulesCount: number;
}

/** A state of a gate. */
export type Revision = Omit<RevisionSummary, 'name' | 'defaultAction' | 'rulesCount'> & GateState;

/** The states that gates have had, in the database. Whose a gate is, is for the caller to know. */
export interface RevisionsStore {
  /** Newest first, those before a number. */
  list(gateId: string, limit: number, before: number | null): Promise<RevisionSummary[]>;
  find(gateId: string, revision: number): Promise<Revision | null>;
  /** The newest of each of these gates. */
  newest(gates: readonly Pick<Gate, 'id' | 'revision'>[]): Promise<RevisionSummary[]>;
}

/** So many states of a gate are kept, and no more characters than this: a gate may be a megabyte. */
export const keptRevisions = { most: 200, mostCharacters: 20_000_000 } as const;

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
      return { gateId: id, revision, changedAtMs, changedBy, changes, ...(JSON.parse(row.body) as GateState) };
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

/** Records a revision of a gate, inside the transaction of the change, and removes the oldest beyond the limit. */
export async function recordRevision(
  trx: Transaction<Schema>,
  by: Actor | null,
  gate: Gate,
  changes: GateChanges,
  nowMs: number,
): Promise<void> {
  const { name, description, defaultAction, wait, rules } = gate;
  const state: GateState = { name, description, defaultAction, wait, rules };
  const body = JSON.stringify(state);
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
      changes: JSON.stringify(changes),
      size: body.length,
      body,
    })
    .execute();
  await forgetOldest(trx, gate.id);
}

async function forgetOldest(trx: Transaction<Schema>, gateId: string): Promise<void> {
  const query = trx.selectFrom('gate_revisions').select(['revision', 'size']).where('gate_id', '=', gateId);
  const newestFirst = await query.orderBy('revision', 'desc').execute();
  let characters = 0;
  const beyond = newestFirst.find(({ size }, index) => {
    characters += size;
    return index >= keptRevisions.most || (index > 0 && characters > keptRevisions.mostCharacters);
  });
  if (beyond === undefined) return;
  const gone = trx.deleteFrom('gate_revisions').where('gate_id', '=', gateId);
  await gone.where('revision', '<=', beyond.revision).execute();
}

/** Removes what is kept of a gate, inside the transaction that removes it. */
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
