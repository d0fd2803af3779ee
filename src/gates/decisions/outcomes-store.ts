import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { rowsParameter } from '../../db/rows.ts';
import { chunksOf } from '../../platform/chunks-of.ts';
import { type LoggedRow, lockGates } from './decisions-store.ts';
import type { Outcome, OutcomeName } from './outcome.ts';

/** An outcome to store, with the parts of its decision that statistics count. */
export interface OutcomeRow extends Outcome {
  readonly gateId: string;
  readonly decisionId: string;
  readonly action: string;
  /** Every matching rule, shadow rules included. */
  readonly ruleIds: readonly string[];
  /** The registrable domain that it is about. */
  readonly domain: string;
}

/** The number of outcomes with the same action and rules. */
export interface OutcomeCount {
  readonly outcome: OutcomeName;
  readonly action: string;
  readonly ruleIds: readonly string[];
  readonly decisions: number;
}

/** A span of decision ids: from one on, and before another. */
export interface DecisionSpan {
  readonly from: string;
  readonly before: string;
}

/** The outcomes of logged decisions, in the database. They are rows beside the log, whose segments are never rewritten for them. */
export interface OutcomesStore {
  /** Stores outcomes, all or none; those of a removed gate are left out. Durable when it resolves. */
  write(rows: readonly OutcomeRow[]): Promise<void>;
  /** Removes the outcomes of decisions. */
  remove(gateId: string, decisionIds: readonly string[]): Promise<void>;
  /** The same entries with their outcomes. */
  attach(rows: readonly LoggedRow[]): Promise<LoggedRow[]>;
  /** Ids of a gate's decisions with an outcome, or with any, newest first. */
  ids(gateId: string, outcome: OutcomeName | null, span: DecisionSpan, limit: number): Promise<string[]>;
  /** The outcomes of some of a gate's decisions in a span of ids, counted, and the id at which the next count begins; null at the end. */
  count(gateId: string, span: DecisionSpan): Promise<{ counts: OutcomeCount[]; next: string | null }>;
  /** The outcomes of several gates' decisions in a span of ids; null when there are too many for one statement. */
  countTogether(gateIds: readonly string[], span: DecisionSpan): Promise<OutcomeCount[] | null>;
  /** Removes up to `limit` outcomes of a gate, only those before an id unless it is null; `limit` when there may be more. */
  prune(gateId: string, beforeId: string | null, limit: number): Promise<number>;
}

/** Rows in one statement: the embedded database takes a few milliseconds for them. */
const rowsAtOnce = 500;
/** Outcomes counted in one statement. */
const countedAtOnce = 10_000;

export function createOutcomesStore(db: Db): OutcomesStore {
  const keys = rowsParameter(db, { gate_id: 'text', id: 'text' });
  const stored = rowsParameter(db, {
    gate_id: 'text',
    decision_id: 'text',
    outcome: 'text',
    reason: 'text',
    action: 'text',
    rule_ids: 'text',
    domain: 'text',
  });
  const ofEach = async (rows: readonly LoggedRow[]): Promise<AttachedOutcome[]> => {
    const wanted = rows.map(({ gateId, id }) => ({ gate_id: gateId, id }));
    const found = await sql<AttachedOutcome>`
      select o.decision_id as id, o.outcome, o.reason from ${keys.table(wanted)} entries
      join decision_outcomes o on o.gate_id = entries.gate_id and o.decision_id = entries.id`.execute(db.read);
    return found.rows;
  };
  return {
    async write(rows) {
      if (rows.length === 0) return;
      await db.transaction(async (trx) => {
        const gateIds = [...new Set(rows.map(({ gateId }) => gateId))].sort();
        const owners = await lockGates(trx, db, gateIds);
        // In one order everywhere: two instances that lock the same rows must not wait for each other.
        const present = rows.filter(({ gateId }) => owners.has(gateId)).sort(byKey);
        for (const batch of chunksOf(present, rowsAtOnce)) {
          const some = batch.map(toTable);
          await sql`insert into decision_outcomes (gate_id, decision_id, outcome, reason, action, rule_ids, domain)
            select gate_id, decision_id, outcome, reason, action, rule_ids, domain from ${stored.table(some)} reported where true
            on conflict (gate_id, decision_id) do update set outcome = excluded.outcome, reason = excluded.reason,
              domain = excluded.domain`.execute(trx);
        }
      });
    },
    async remove(gateId, decisionIds) {
      const removal = db.write.deleteFrom('decision_outcomes').where('gate_id', '=', gateId);
      for (const some of chunksOf(decisionIds, rowsAtOnce)) {
        await removal.where('decision_id', 'in', some).execute();
      }
    },
    async attach(rows) {
      if (rows.length === 0) return [];
      const found = (await inSpanOf(db, rows)) ?? (await ofEach(rows));
      if (found.length === 0) return [...rows];
      const byId = new Map(found.map(({ id, outcome, reason }) => [id, { outcome, reason }]));
      return rows.map((row) => {
        const outcome = byId.get(row.id);
        return outcome === undefined ? row : { ...row, outcome };
      });
    },
    async ids(gateId, outcome, { from, before }, limit) {
      let query = db.read.selectFrom('decision_outcomes').select('decision_id').where('gate_id', '=', gateId);
      if (outcome !== null) query = query.where('outcome', '=', outcome);
      const found = query.where('decision_id', '>=', from).where('decision_id', '<', before);
      const rows = await found.orderBy('decision_id', 'desc').limit(limit).execute();
      return rows.map((row) => row.decision_id);
    },
    async count(gateId, span) {
      const inOrder = sql`gate_id = ${gateId} and ${within(span)} order by decision_id`;
      const { counts, counted, last } = await countWhere(db, inOrder);
      return { counts, next: counted < countedAtOnce ? null : `${last}0` };
    },
    async countTogether(gateIds, span) {
      const { counts, counted } = await countWhere(db, sql`gate_id in (${sql.join(gateIds)}) and ${within(span)}`);
      return counted < countedAtOnce ? counts : null;
    },
    async prune(gateId, beforeId, limit) {
      const { write } = db.background;
      let some = write.selectFrom('decision_outcomes').select('decision_id').where('gate_id', '=', gateId);
      if (beforeId !== null) some = some.where('decision_id', '<', beforeId);
      const removed = write
        .deleteFrom('decision_outcomes')
        .where('gate_id', '=', gateId)
        .where('decision_id', 'in', some.orderBy('decision_id').limit(limit));
      return Number((await removed.executeTakeFirst()).numDeletedRows);
    },
  };
}

interface AttachedOutcome {
  readonly id: string;
  readonly outcome: OutcomeName;
  readonly reason: string | null;
}

/** A span of so many entries or more is read in one scan, unless it has more than twice as many outcomes. */
const minScanned = 200;

/** The outcomes between the first and the last of one gate's entries; null where reading each entry's outcome takes less. */
async function inSpanOf(db: Db, rows: readonly LoggedRow[]): Promise<AttachedOutcome[] | null> {
  const [{ gateId } = { gateId: '' }] = rows;
  if (rows.length < minScanned || rows.some((row) => row.gateId !== gateId)) return null;
  const ids = rows.map(({ id }) => id);
  const limit = 2 * rows.length;
  const found = await db.read
    .selectFrom('decision_outcomes')
    .select(['decision_id as id', 'outcome', 'reason'])
    .where('gate_id', '=', gateId)
    .where(
      'decision_id',
      '>=',
      ids.reduce((one, other) => (one < other ? one : other)),
    )
    .where(
      'decision_id',
      '<=',
      ids.reduce((one, other) => (one > other ? one : other)),
    )
    .orderBy('decision_id')
    .limit(limit)
    .execute();
  return found.length === limit ? null : (found as AttachedOutcome[]);
}

/** Rewrites the reasons that an account reported. */
export async function rewriteReasons(db: Db, accountId: string, rewrite: (text: string) => string): Promise<void> {
  const ofAccount = sql`gate_id in (select id from gates where account_id = ${accountId})`;
  const { rows } = await sql<{ reason: string }>`
    select distinct reason from decision_outcomes where reason is not null and ${ofAccount}`.execute(db.read);
  for (const { reason } of rows) {
    const rewritten = rewrite(reason);
    if (rewritten === reason) continue;
    await sql`update decision_outcomes set reason = ${rewritten} where reason = ${reason} and ${ofAccount}`.execute(
      db.write,
    );
  }
}

const within = ({ from, before }: DecisionSpan) => sql`decision_id >= ${from} and decision_id < ${before}`;

/** The first outcomes that a condition selects. */
async function countWhere(
  db: Db,
  where: RawBuilder<unknown>,
): Promise<{ counts: OutcomeCount[]; counted: number; last: string }> {
  const { rows } = await sql<{ outcome: OutcomeName; action: string; rule_ids: string; total: number; last: string }>`
    select outcome, action, rule_ids, count(*) as total, max(decision_id) as last from (
      select outcome, action, rule_ids, decision_id from decision_outcomes
      where ${where} limit ${countedAtOnce}) counted
    group by outcome, action, rule_ids`.execute(db.read);
  const counts = rows.map(({ outcome, action, rule_ids, total }) => ({
    outcome,
    action,
    ruleIds: rule_ids === '' ? [] : rule_ids.split(' '),
    decisions: Number(total),
  }));
  const counted = counts.reduce((sum, { decisions }) => sum + decisions, 0);
  const last = rows.map((row) => row.last).reduce((one, other) => (one > other ? one : other), '');
  return { counts, counted, last };
}

function byKey(one: OutcomeRow, other: OutcomeRow): number {
  if (one.gateId !== other.gateId) return one.gateId < other.gateId ? -1 : 1;
  return one.decisionId < other.decisionId ? -1 : 1;
}

function toTable({ gateId, decisionId, ruleIds, ...row }: OutcomeRow) {
  const { outcome, reason, action, domain } = row;
  return { gate_id: gateId, decision_id: decisionId, outcome, reason, action, rule_ids: ruleIds.join(' '), domain };
}
