import { sql, type Transaction } from 'kysely';
import type { Db } from '../../db/db.ts';
import { lockRows } from '../../db/row-locks.ts';
import { rowsParameter } from '../../db/rows.ts';
import type { Schema } from '../../db/schema.ts';
import { withParameters } from '../../db/with-parameters.ts';
import type { Environment, Owner } from '../../http/endpoint.ts';
import { chunksOf } from '../../platform/chunks-of.ts';
import { firstIdAt } from '../../ulid.ts';
import type { HourCounts } from './decision-counts.ts';
import type { Outcome, OutcomeFilter } from './outcome.ts';
import { createAddCounts } from './stats-store.ts';

/** A decision as it is stored: the columns that filters use, and everything else as JSON. */
export interface LoggedRow {
  readonly id: string;
  readonly gateId: string;
  readonly action: string;
  readonly ruleId: string | null;
  readonly emailKey: string | null;
  readonly domain: string;
  readonly ip: string | null;
  readonly entry: string;
  /** Absent where only the entry has them. */
  readonly keys?: EntryKeys;
  /** Its outcome, which a search adds. */
  readonly outcome?: Outcome;
}

/** The search keys of an entry besides its columns. */
export interface EntryKeys {
  /** The normalised address in the form in which the entry keeps it. */
  readonly normal: string | null;
  /** The list sources that named the domain. */
  readonly sources: readonly string[];
  /** Two letters. */
  readonly country: string | null;
  readonly asn: number | null;
  /** In CIDR notation; null where the log keeps no IP address, or a hash of it. */
  readonly network: string | null;
  /** The key of the visitor's device. */
  readonly device: string | null;
  /** The matching rules besides the one that decided, shadow rules included. */
  readonly otherRuleIds: readonly string[];
}

/** Selects decisions of a gate, newest first. */
export interface LogFilter {
  /** The address in each form under which it may have been kept. */
  readonly emailKeys?: readonly string[];
  /** Normalised addresses in each form under which they may have been kept. */
  readonly normalKeys?: ReadonlySet<string>;
  readonly ids?: ReadonlySet<string>;
  /** The id of the decision, or of the request that it was made for. */
  readonly eitherId?: string;
  /** Their outcome; `none` for decisions without one. */
  readonly outcome?: OutcomeFilter;
  readonly domain?: string;
  /** The IP address in each form under which it may have been kept. */
  readonly ips?: readonly string[];
  /** Any of them. */
  readonly actions?: readonly string[];
  /** A list source named the domain. */
  readonly source?: string;
  readonly country?: string;
  /** An autonomous system, or a block of addresses. */
  readonly network?: { readonly asn: number } | { readonly block: string };
  /** The device under each key that an entry may have kept. */
  readonly deviceKeys?: readonly string[];
  readonly ruleId?: string;
  /** A rule that matched, whether it decided or not. */
  readonly matchedRuleId?: string;
  /** At or after this moment. */
  readonly fromMs?: number;
  /** Before this moment. */
  readonly toMs?: number;
  /** Only decisions older than this one. */
  readonly beforeId?: string;
  /** Only this decision and newer ones. */
  readonly fromId?: string;
}

/** Lists entries of several gates, newest first. `onMissing` is called when damaged segments, which may hold more of them, were skipped. */
export type ListEntries = (
  gateIds: readonly string[],
  filter: LogFilter,
  limit: number,
  onMissing?: () => void,
) => Promise<LoggedRow[]>;

/** How many entries match a filter, at most `max`; not complete when there may be more. */
export type CountEntries = (
  gateIds: readonly string[],
  filter: LogFilter,
  max: number,
) => Promise<{ readonly count: number; readonly complete: boolean }>;

/** Entries in one transaction and in a segment. A batch of this size is written immediately. */
export const fullBatch = 1_000;

/** Entries that are written together, collected as they arrive. */
export interface EntryBatch {
  readonly length: number;
  readonly gateIds: ReadonlySet<string>;
  /** The smallest and the largest id. */
  readonly firstId: string;
  readonly lastId: string;
  add(row: LoggedRow): void;
  /** All entries as the text of a segment. */
  text(): Uint8Array;
  /** The hashes of everything by which the entries are found, in order. */
  terms(): Uint32Array;
  rows(): LoggedRow[];
  /** Empties the batch for reuse; its caller must not use it afterwards. */
  release(): void;
}

/** Adds entries to the log in a form other than rows. */
export type AddSealed = (trx: Transaction<Schema>) => Promise<void>;

/** The unsealed part of the decision log, in the database. */
export interface DecisionsStore {
  /**
   * Adds log entries and counts, all or none, except those of removed gates. `addSealed` adds exactly these
   * entries and is used in place of rows, unless one of them is left out.
   */
  write(
    batch: Pick<EntryBatch, 'gateIds' | 'rows'>,
    counts: readonly HourCounts[],
    addSealed?: AddSealed,
  ): Promise<void>;
  find(gateId: string, id: string): Promise<LoggedRow | null>;
  list(gateId: string, filter: LogFilter, limit: number): Promise<LoggedRow[]>;
  /** The same over several gates. */
  listOf(gateIds: readonly string[], filter: LogFilter, limit: number): Promise<LoggedRow[]>;
  /** The gates after this one in the order of their ids, at most `limit`. */
  gateIds(afterId: string, limit: number): Promise<string[]>;
  /** Removes up to `limit` entries of a gate made before a moment; `limit` when there may be more. */
  prune(gateId: string, beforeMs: number, limit: number): Promise<number>;
  /** Removes entries of a gate. */
  remove(gateId: string, ids: readonly string[]): Promise<void>;
  /** A removed gate that may still have data. */
  removedGate(): Promise<string | null>;
  /** Removes up to `limit` entries of a gate; `limit` when there may be more. */
  pruneGate(gateId: string, limit: number): Promise<number>;
  /** Removes the counts of a removed gate, and the record of its removal. */
  forgetGate(gateId: string): Promise<void>;
}

export function createDecisionsStore(db: Db): DecisionsStore {
  const insertRows = createInsert(db);
  const addCounts = createAddCounts(db);
  return {
    write: (batch, counts, addSealed) =>
      db.background.transaction(async (trx) => {
        const gateIds = [...new Set([...batch.gateIds, ...counts.map(({ gateId }) => gateId)])].sort();
        const owners = await lockGates(trx, db, gateIds);
        if (addSealed !== undefined && owners.size === gateIds.length) await addSealed(trx);
        else
          await insertRows(
            trx,
            batch.rows().filter(({ gateId }) => owners.has(gateId)),
          );
        await addCounts(trx, counts, owners);
      }),
    async find(gateId, id) {
      const query = db.read.selectFrom('decisions').selectAll().where('gate_id', '=', gateId).where('id', '=', id);
      const row = await query.executeTakeFirst();
      return row === undefined ? null : toLogged(row);
    },
    list: (gateId, filter, limit) => listOf(db, [gateId], filter, limit),
    listOf: (gateIds, filter, limit) => listOf(db, gateIds, filter, limit),
    async gateIds(afterId, limit) {
      const gates = db.read.selectFrom('gates').select('id').where('id', '>', afterId).orderBy('id').limit(limit);
      return (await gates.execute()).map(({ id }) => id);
    },
    prune: (gateId, beforeMs, limit) => removeSome(db, gateId, firstIdAt(beforeMs), limit),
    async remove(gateId, ids) {
      await db.write.deleteFrom('decisions').where('gate_id', '=', gateId).where('id', 'in', ids).execute();
    },
    async removedGate() {
      return (await db.read.selectFrom('removed_gates').select('id').limit(1).executeTakeFirst())?.id ?? null;
    },
    pruneGate: (gateId, limit) => removeSome(db, gateId, null, limit),
    forgetGate: (gateId) =>
      db.background.transaction(async (trx) => {
        await trx.deleteFrom('decision_counts').where('gate_id', '=', gateId).execute();
        await trx.deleteFrom('rule_counts').where('gate_id', '=', gateId).execute();
        await trx.deleteFrom('rule_days').where('gate_id', '=', gateId).execute();
        await trx.deleteFrom('removed_gates').where('id', '=', gateId).execute();
      }),
  };
}

async function listOf(db: Db, gateIds: readonly string[], filter: LogFilter, limit: number): Promise<LoggedRow[]> {
  if (gateIds.length === 0) return [];
  // No filter has its own index: the table is small, because its rows are sealed continually.
  let query = db.read.selectFrom('decisions').selectAll().where('gate_id', 'in', gateIds);
  if (filter.emailKeys !== undefined) query = query.where('email_key', 'in', filter.emailKeys);
  if (filter.domain !== undefined) query = query.where('domain', '=', filter.domain);
  if (filter.ips !== undefined) query = query.where('ip', 'in', filter.ips);
  if (filter.actions !== undefined) query = query.where('action', 'in', filter.actions);
  if (filter.ruleId !== undefined) query = query.where('rule_id', '=', filter.ruleId);
  if (filter.fromMs !== undefined) query = query.where('id', '>=', firstIdAt(filter.fromMs));
  if (filter.toMs !== undefined) query = query.where('id', '<', firstIdAt(filter.toMs));
  if (filter.beforeId !== undefined) query = query.where('id', '<', filter.beforeId);
  if (filter.fromId !== undefined) query = query.where('id', '>=', filter.fromId);
  if (filter.normalKeys !== undefined) query = query.where('email_key', 'is not', null);
  if (filter.outcome !== undefined) {
    const isReported = reported(filter.outcome);
    query = query.where(filter.outcome === 'none' ? sql<boolean>`not ${isReported}` : isReported);
  }
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  return rows.map(toLogged);
}

const reported = (outcome: OutcomeFilter) => sql<boolean>`exists (select 1 from decision_outcomes
  where decision_outcomes.gate_id = decisions.gate_id and decision_id = decisions.id
  ${outcome === 'none' ? sql`` : sql`and outcome = ${outcome}`})`;

/** Removes up to `limit` entries of a gate, the oldest first, only those before an id unless it is null. */
async function removeSome(db: Db, gateId: string, beforeId: string | null, limit: number): Promise<number> {
  const { write } = db.background;
  let some = write.selectFrom('decisions').select('id').where('gate_id', '=', gateId).orderBy('id').limit(limit);
  if (beforeId !== null) some = some.where('id', '<', beforeId);
  const removed = write.deleteFrom('decisions').where('gate_id', '=', gateId).where('id', 'in', some);
  return Number((await removed.executeTakeFirst()).numDeletedRows);
}

/** The owners of the gates that exist among these; the gates are locked until the transaction ends. */
export async function lockGates(
  trx: Transaction<Schema>,
  db: Db,
  gateIds: readonly string[],
): Promise<Map<string, Owner>> {
  const owners = new Map<string, Owner>();
  for (const some of chunksOf(gateIds, gatesAtOnce)) {
    const query = trx
      .selectFrom('gates')
      .select(['id', 'account_id', 'environment'])
      .where('id', 'in', some)
      .orderBy('id');
    const rows = await lockRows(db, query, 'key share').execute();
    for (const { id, account_id, environment } of rows) {
      owners.set(id, { accountId: account_id, environment: environment as Environment });
    }
  }
  return owners;
}

/** Gates selected in one statement. */
const gatesAtOnce = 500;

const columns = {
  id: 'text',
  gate_id: 'text',
  action: 'text',
  rule_id: 'text',
  email_key: 'text',
  domain: 'text',
  ip: 'text',
  entry: 'text',
} as const;

/** Compiled once: building the statement costs more than running it. */
function createInsert(db: Db): (trx: Transaction<Schema>, rows: readonly LoggedRow[]) => Promise<void> {
  const logged = rowsParameter(db, columns);
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  // A commit is retried when its response was lost.
  const insert = sql`insert into decisions (${names}) select ${names} from ${logged.table()} logged where true
    on conflict (gate_id, id) do nothing`.compile(db.read);
  return async (trx, rows) => {
    if (rows.length > 0) await trx.executeQuery(withParameters(insert, logged.encode(rows.map(toRow))));
  };
}

function toRow({ id, gateId, action, ruleId, emailKey, domain, ip, entry }: LoggedRow): Schema['decisions'] {
  return { id, gate_id: gateId, action, rule_id: ruleId, email_key: emailKey, domain, ip, entry };
}

/** A row of a table as the rest of the service knows it. */
export function toLogged(row: Schema['decisions']): LoggedRow {
  return {
    id: row.id,
    gateId: row.gate_id,
    action: row.action,
    ruleId: row.rule_id,
    emailKey: row.email_key,
    domain: row.domain,
    ip: row.ip,
    entry: row.entry,
  };
}
