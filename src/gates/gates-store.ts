import type { Selectable, Transaction } from 'kysely';
import { recordChange } from '../db/changes.ts';
import type { Db } from '../db/db.ts';
import { ownedBy } from '../db/owned-by.ts';
import { lockRows } from '../db/row-locks.ts';
import type { Schema } from '../db/schema.ts';
import type { GateRulesTable, GatesTable } from '../db/tables/gate-tables.ts';
import type { Author, Owner } from '../http/endpoint.ts';
import { scopeOf } from '../owner-scope.ts';
import type { Gate, GateSummary, SlowFact } from './gate.ts';
import { gateChanges, recordGateAct } from './gate-audit-store.ts';
import { recordRevision, removeRevisions } from './revisions-store.ts';
import type { Action } from './rules/action.ts';
import type { Rule, RuleDraft } from './rules/rule.ts';

/** The topic under which changes to gates are announced; the scope is the owner's. */
export const gatesTopic = 'gates';

/** Throws when rules of an owner, each with the prefix of its path, must not be written. */
export type CheckRules = (
  trx: Transaction<Schema>,
  owner: Owner,
  rules: readonly (readonly [path: string, rule: Rule])[],
) => Promise<void>;

export interface GatesStore {
  /** Newest first, those older than `beforeId`. */
  list(owner: Owner, limit: number, beforeId: string | null): Promise<GateSummary[]>;
  /** The gate with its rules, both of one moment; null when the owner has no such gate. */
  find(owner: Owner, gateId: string): Promise<Gate | null>;
  /** How many gates count for the limit: all but the gate of the first start. */
  counted(owner: Owner): Promise<number>;
  /** False when the owner has `max` gates that count. Throws the error of the check of its rules. */
  insert(author: Author, gate: Gate, max: number): Promise<boolean>;
  /** Inserts the gate of the first start, which does not count for the limit. */
  insertFirst(author: Author, gate: Gate): Promise<void>;
  /**
   * Replaces a gate by the result of a change, atomically and one edit at a time; null when there is no such gate.
   */
  edit(author: Author, gateId: string, edit: GateEdit, nowMs: number): Promise<EditedGate | null>;
  /** False when the owner has no such gate. */
  remove(author: Author, gateId: string, nowMs: number): Promise<boolean>;
}

/** Problems with rules are reported at the path that `pathOf` gives for the rule's place. */
export interface GateEdit {
  readonly change: (gate: Gate, nowMs: number) => Gate;
  readonly pathOf?: RulePath | undefined;
}

/** A gate before and after an edit; one object when the edit changed nothing. */
export interface EditedGate {
  readonly before: Gate;
  readonly after: Gate;
}

/** The path of a rule in the body that was sent, as a prefix. */
export type RulePath = (index: number) => string;

const amongRules: RulePath = (index) => `rules.${index}.`;

/** Checks new and changed rules with `checkRules`, in the transaction that writes them. */
export function createGatesStore(db: Db, checkRules: CheckRules = async () => {}): GatesStore {
  return {
    async list(owner, limit, beforeId) {
      let query = db.read.selectFrom('gates').selectAll().where(ownedBy(owner));
      if (beforeId !== null) query = query.where('id', '<', beforeId);
      const rows = await query.orderBy('id', 'desc').limit(limit).execute();
      return rows.map(toSummary);
    },
    find: async (owner, gateId) => toGate(await selectGate(db.read, owner, gateId).execute()),
    counted: (owner) => countGates(db.read, owner),
    insert: (author, gate, max) =>
      db.transaction(async (trx) => {
        // Also the lock under which the owner's gates are counted.
        await recordChange(trx, gatesTopic, scopeOf(author), gate.createdAtMs);
        if ((await countGates(trx, author)) >= max) return false;
        await checkRules(trx, author, unknownRules(gate, [], amongRules));
        await insertGate(trx, author, gate);
        return true;
      }),
    insertFirst: (author, gate) =>
      db.transaction(async (trx) => {
        await recordChange(trx, gatesTopic, scopeOf(author), gate.createdAtMs);
        const setting = { name: firstGate(author), value: gate.id };
        await trx.insertInto('settings').values(setting).execute();
        await insertGate(trx, author, gate);
      }),
    edit: (author, gateId, { change, pathOf = amongRules }, nowMs) =>
      db.transaction(async (trx) => {
        if (!(await lockGate(trx, db, author, gateId))) return null;
        const before = toGate(await selectGate(trx, author, gateId).execute());
        if (before === null) return null;
        const edited = change(before, nowMs);
        if (edited === before) return { before, after: before };
        await checkRules(trx, author, unknownRules(edited, before.rules, pathOf));
        const after = await writeEdit(trx, author, { before, edited }, nowMs);
        await recordChange(trx, gatesTopic, scopeOf(author), nowMs);
        return { before, after };
      }),
    remove: (author, gateId, nowMs) =>
      db.transaction(async (trx) => {
        if (!(await lockGate(trx, db, author, gateId))) return false;
        const before = toGate(await selectGate(trx, author, gateId).execute());
        if (before === null) return false;
        await removeRows(trx, gateId);
        await recordGateAct(trx, author, { action: 'gate.removed', gate: before }, nowMs);
        await recordChange(trx, gatesTopic, scopeOf(author), nowMs);
        return true;
      }),
  };
}

/** The setting that names the gate of the first start. */
function firstGate({ environment }: Owner): string {
  return `first_gate_${environment}`;
}

async function countGates(from: Db['read'], owner: Owner): Promise<number> {
  const { count } = await from
    .selectFrom('gates')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where(ownedBy(owner))
    .where('id', 'not in', from.selectFrom('settings').select('value').where('name', '=', firstGate(owner)))
    .executeTakeFirstOrThrow();
  return count;
}

async function insertGate(trx: Transaction<Schema>, author: Author, gate: Gate): Promise<void> {
  const { accountId, environment } = author;
  const row = { id: gate.id, account_id: accountId, environment, created_at: gate.createdAtMs, ...changeable(gate) };
  await trx.insertInto('gates').values(row).execute();
  await insertRules(trx, gate.id, gate.rules);
  await recordRevision(trx, accountId, { by: author.by, gate, changes: {} }, gate.createdAtMs);
  await recordGateAct(trx, author, { action: 'gate.created', gate }, gate.createdAtMs);
}

/** Writes an edited gate, with a new revision when it differs. */
async function writeEdit(
  trx: Transaction<Schema>,
  author: Author,
  { before, edited }: { readonly before: Gate; readonly edited: Gate },
  nowMs: number,
): Promise<Gate> {
  const changes = gateChanges(before, edited);
  const isChanged = Object.keys(changes).length > 0;
  const after = isChanged ? { ...edited, revision: before.revision + 1 } : edited;
  await writeRules(trx, before.id, before.rules, after.rules);
  await trx.updateTable('gates').set(changeable(after)).where('id', '=', before.id).execute();
  if (isChanged) {
    const { accountId, by } = author;
    // A gate from before revisions were recorded has no earlier state.
    if (before.revision === 0)
      await recordRevision(trx, accountId, { by: null, gate: before, changes: {} }, before.updatedAtMs);
    await recordRevision(trx, accountId, { by, gate: after, changes }, nowMs);
    await recordGateAct(trx, author, { action: 'gate.changed', gate: after, detail: changes }, nowMs);
  }
  return after;
}

async function removeRows(trx: Transaction<Schema>, gateId: string): Promise<void> {
  await removeRevisions(trx, gateId);
  await trx.deleteFrom('gate_rules').where('gate_id', '=', gateId).execute();
  await trx.deleteFrom('gates').where('id', '=', gateId).execute();
  // Its log may be long: it is unreachable from now on, and a job removes it in steps.
  await trx.insertInto('removed_gates').values({ id: gateId }).execute();
}

/** Rules of a gate that are not among the known ones, each with the prefix of its path. */
function unknownRules(gate: Gate, known: readonly Rule[], pathOf: RulePath) {
  return gate.rules.map((rule, index) => [pathOf(index), rule] as const).filter(([, rule]) => !known.includes(rule));
}

/** Locks the gate's row until the transaction ends. */
async function lockGate(trx: Transaction<Schema>, db: Db, owner: Owner, gateId: string): Promise<boolean> {
  const query = trx.selectFrom('gates').select('id').where('id', '=', gateId).where(ownedBy(owner));
  // Not `update`: the writer of the log, which only needs the gate to stay, must not wait.
  return (await lockRows(db, query, 'no key update').executeTakeFirst()) !== undefined;
}

/** A gate's row beside one of its rules. */
type GateRow = Selectable<GatesTable> & {
  [Column in 'id' | 'body' | 'created_at' | 'updated_at' as `rule_${Column}`]: GateRulesTable[Column] | null;
};

/** One statement, so that the gate and its rules come from the same moment on either engine. */
function selectGate(from: Db['read'], owner: Owner, gateId: string) {
  return from
    .selectFrom('gates')
    .leftJoin('gate_rules', 'gate_rules.gate_id', 'gates.id')
    .selectAll('gates')
    .select([
      'gate_rules.id as rule_id',
      'gate_rules.body as rule_body',
      'gate_rules.created_at as rule_created_at',
      'gate_rules.updated_at as rule_updated_at',
    ])
    .where('gates.id', '=', gateId)
    .where(ownedBy(owner, 'gates'));
}

async function insertRules(trx: Transaction<Schema>, gateId: string, rules: readonly Rule[]): Promise<void> {
  if (rules.length === 0) return;
  const rows = rules.map((rule) => ({
    id: rule.id,
    gate_id: gateId,
    body: bodyOf(rule),
    created_at: rule.createdAtMs,
    updated_at: rule.updatedAtMs,
  }));
  await trx.insertInto('gate_rules').values(rows).execute();
}

/** An edit leaves the rules it does not touch as the same objects. */
async function writeRules(
  trx: Transaction<Schema>,
  gateId: string,
  before: readonly Rule[],
  after: readonly Rule[],
): Promise<void> {
  const known = new Map(before.map((rule) => [rule.id, rule]));
  const kept = new Set(after.map((rule) => rule.id));
  const gone = before.filter((rule) => !kept.has(rule.id)).map((rule) => rule.id);
  if (gone.length > 0) await trx.deleteFrom('gate_rules').where('id', 'in', gone).execute();
  for (const rule of after) {
    if (!known.has(rule.id) || known.get(rule.id) === rule) continue;
    await trx
      .updateTable('gate_rules')
      .set({ body: bodyOf(rule), updated_at: rule.updatedAtMs })
      .where('id', '=', rule.id)
      .execute();
  }
  await insertRules(
    trx,
    gateId,
    after.filter((rule) => !known.has(rule.id)),
  );
}

/** The columns of a gate that an edit changes. */
function changeable(gate: Gate) {
  return {
    name: gate.name,
    description: gate.description,
    default_action: gate.defaultAction,
    wait: JSON.stringify(gate.wait),
    rule_ids: JSON.stringify(gate.rules.map((rule) => rule.id)),
    revision: gate.revision,
    updated_at: gate.updatedAtMs,
  };
}

/** A rule without the columns that it has beside its body. */
function bodyOf({ id: _id, createdAtMs: _created, updatedAtMs: _updated, ...draft }: Rule): string {
  return JSON.stringify(draft);
}

function toSummary(row: Selectable<GatesTable>): GateSummary {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    defaultAction: row.default_action as Action,
    wait: JSON.parse(row.wait) as SlowFact[],
    rulesCount: (JSON.parse(row.rule_ids) as string[]).length,
    revision: row.revision,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  };
}

/** A gate with its rules in order; null without a row. */
function toGate(rows: readonly GateRow[]): Gate | null {
  const [first] = rows;
  if (first === undefined) return null;
  const rules = new Map(rows.map((row) => [row.rule_id, toRule(row)]));
  const { rulesCount: _count, ...gate } = toSummary(first);
  const inOrder = (JSON.parse(first.rule_ids) as string[]).flatMap((id) => rules.get(id) ?? []);
  return { ...gate, rules: inOrder };
}

function toRule(row: GateRow): Rule | null {
  if (row.rule_id === null || row.rule_body === null) return null;
  const draft = JSON.parse(row.rule_body) as RuleDraft;
  return {
    ...draft,
    id: row.rule_id,
    createdAtMs: row.rule_created_at ?? 0,
    updatedAtMs: row.rule_updated_at ?? 0,
  };
}
