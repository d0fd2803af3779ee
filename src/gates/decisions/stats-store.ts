import { sql, type Transaction } from 'kysely';
import { createAddToCounters } from '../../db/add-to-counters.ts';
import type { Db } from '../../db/db.ts';
import { ownedBy } from '../../db/owned-by.ts';
import { removeBefore } from '../../db/remove-before.ts';
import type { Schema } from '../../db/schema.ts';
import type { Owner } from '../../http/endpoint.ts';
import type { Action } from '../rules/action.ts';
import type { HourCounts } from './decision-counts.ts';

/** How often a gate answered with an action in one bucket of time. */
export interface ActionCount {
  readonly gateId: string;
  readonly atMs: number;
  readonly action: Action;
  readonly decisions: number;
}

/** How often the gates of an environment answered with each action in one bucket of time. */
export interface EnvironmentCount {
  readonly atMs: number;
  readonly allow: number;
  readonly block: number;
  readonly challenge: number;
}

/** How often a rule matched in a span of time, and a name it had then. */
export interface RuleTotal {
  readonly ruleId: string;
  readonly name: string;
  readonly matches: number;
  readonly shadowMatches: number;
}

/** How often a rule matched on one day, live or in shadow mode. */
export interface RuleDay {
  readonly ruleId: string;
  readonly dayMs: number;
  readonly matches: number;
}

/** A rule of a gate and how often it matched while it was live. */
export interface TopRule {
  readonly gateId: string;
  readonly ruleId: string;
  readonly name: string;
  readonly matches: number;
}

/** The counts of decisions, in the database. */
export interface StatsStore {
  /** By gate, action and bucket of `bucketMs`, for the hours from `fromMs` until before `toMs`. */
  actions(gateIds: readonly string[], fromMs: number, toMs: number, bucketMs: number): Promise<ActionCount[]>;
  /** By bucket of `bucketMs`, for all gates of an owner together, removed ones included, from `fromMs` on. */
  environment(owner: Owner, fromMs: number, bucketMs: number): Promise<EnvironmentCount[]>;
  rules(gateId: string, fromMs: number, toMs: number): Promise<RuleTotal[]>;
  /** By rule and UTC day, from a day on. */
  ruleDays(gateId: string, fromMs: number): Promise<RuleDay[]>;
  /** The last UTC day on which each rule matched. */
  lastRuleDays(gateId: string): Promise<ReadonlyMap<string, number>>;
  /** The rules that matched most while they were live, from a full hour on. */
  topRules(gateIds: readonly string[], fromMs: number, limit: number): Promise<TopRule[]>;
  prune(beforeMs: number): Promise<void>;
  /** Removes an account's counts that belong to no gate. */
  remove(accountId: string): Promise<void>;
}

export function createStatsStore(db: Db): StatsStore {
  return {
    async actions(gateIds, fromMs, toMs, bucketMs) {
      if (gateIds.length === 0) return [];
      const bucket = sql<number>`hour - hour % ${sql.lit(bucketMs)}`;
      return db.read
        .selectFrom('decision_counts')
        .select(['gate_id as gateId', bucket.as('atMs'), sql<Action>`action`.as('action')])
        .select((row) => row.fn.sum<number>('decisions').as('decisions'))
        .where('gate_id', 'in', gateIds)
        .where('hour', '>=', fromMs)
        .where('hour', '<', toMs)
        .groupBy(['gate_id', bucket, 'action'])
        .execute();
    },
    environment: (owner, fromMs, bucketMs) => {
      const bucket = sql<number>`hour - hour % ${sql.lit(bucketMs)}`;
      return db.read
        .selectFrom('environment_counts')
        .select(bucket.as('atMs'))
        .select(({ fn }) => [
          fn.sum<number>('allow').as('allow'),
          fn.sum<number>('block').as('block'),
          fn.sum<number>('challenge').as('challenge'),
        ])
        .where(ownedBy(owner))
        .where('hour', '>=', fromMs)
        .groupBy(bucket)
        .execute();
    },
    rules: (gateId, fromMs, toMs) =>
      db.read
        .selectFrom('rule_counts')
        .select('rule_id as ruleId')
        .select((row) => [
          row.fn.max('name').as('name'),
          row.fn.sum<number>('matches').as('matches'),
          row.fn.sum<number>('shadow_matches').as('shadowMatches'),
        ])
        .where('gate_id', '=', gateId)
        .where('hour', '>=', fromMs)
        .where('hour', '<', toMs)
        .groupBy('rule_id')
        .orderBy('rule_id')
        .execute(),
    ruleDays: (gateId, fromMs) =>
      db.read
        .selectFrom('rule_days')
        .select(['rule_id as ruleId', 'day as dayMs', sql<number>`matches + shadow_matches`.as('matches')])
        .where('gate_id', '=', gateId)
        .where('day', '>=', fromMs)
        .execute(),
    async lastRuleDays(gateId) {
      const rows = await db.read
        .selectFrom('rule_days')
        .select(({ fn }) => ['rule_id', fn.max('day').as('day')])
        .where('gate_id', '=', gateId)
        .groupBy('rule_id')
        .execute();
      return new Map(rows.map((row) => [row.rule_id, row.day]));
    },
    async topRules(gateIds, fromMs, limit) {
      if (gateIds.length === 0) return [];
      // Summing the hours of a month takes too long: only the first day, which counts in part, is read by the hour.
      const nextDayMs = fromMs - (fromMs % dayMs) + dayMs;
      const ids = sql.join(gateIds);
      const { rows } = await sql<TopRule>`
        select gate_id as "gateId", rule_id as "ruleId", max(name) as name, sum(matches) as matches from (
          select gate_id, rule_id, name, matches from rule_counts
          where gate_id in (${ids}) and hour >= ${fromMs} and hour < ${nextDayMs}
          union all
          select gate_id, rule_id, name, matches from rule_days where gate_id in (${ids}) and day >= ${nextDayMs}
        ) counted where matches > 0
        group by gate_id, rule_id order by sum(matches) desc, rule_id limit ${limit}`.execute(db.read);
      return rows;
    },
    async prune(beforeMs) {
      for (const table of ['decision_counts', 'environment_counts', 'rule_counts'] as const) {
        await removeBefore(db, table, 'hour', beforeMs);
      }
      await removeBefore(db, 'rule_days', 'day', beforeMs);
    },
    async remove(accountId) {
      await db.write.deleteFrom('environment_counts').where('account_id', '=', accountId).execute();
    },
  };
}

/** Rewrites the names that rules of an account's gates had when they matched. */
export async function rewriteCountedNames(db: Db, accountId: string, rewrite: (text: string) => string): Promise<void> {
  for (const table of [sql.table('rule_counts'), sql.table('rule_days')]) {
    const { rows } = await sql<{ gate_id: string; name: string }>`
      select distinct gate_id, name from ${table}
      where gate_id in (select id from gates where account_id = ${accountId})`.execute(db.read);
    for (const { gate_id, name } of rows) {
      const rewritten = rewrite(name);
      if (rewritten === name) continue;
      await sql`update ${table} set name = ${rewritten} where gate_id = ${gate_id} and name = ${name}`.execute(
        db.write,
      );
    }
  }
}

const dayMs = 86_400_000;

/** Adds to the counters of existing gates, in the transaction that also writes the log. */
export type AddCounts = (
  trx: Transaction<Schema>,
  counts: readonly HourCounts[],
  owners: ReadonlyMap<string, Owner>,
) => Promise<void>;

export function createAddCounts(db: Db): AddCounts {
  const ofRule = { rule_id: 'text', name: 'text', matches: 'bigint', shadow_matches: 'bigint' } as const;
  const addActions = createAddToCounters(
    db,
    'decision_counts',
    { gate_id: 'text', hour: 'bigint', action: 'text', decisions: 'bigint' },
    { key: ['gate_id', 'hour', 'action'] },
  );
  const addRules = createAddToCounters(
    db,
    'rule_counts',
    { gate_id: 'text', hour: 'bigint', ...ofRule },
    { key: ['gate_id', 'hour', 'rule_id'], latest: ['name'] },
  );
  const addRuleDays = createAddToCounters(
    db,
    'rule_days',
    { gate_id: 'text', day: 'bigint', ...ofRule },
    { key: ['gate_id', 'day', 'rule_id'], latest: ['name'] },
  );
  const addEnvironments = createAddToCounters(
    db,
    'environment_counts',
    { account_id: 'text', environment: 'text', hour: 'bigint', allow: 'bigint', block: 'bigint', challenge: 'bigint' },
    { key: ['account_id', 'environment', 'hour'] },
  );
  return async (trx, counts, owners) => {
    const owned = counts.filter(({ gateId }) => owners.has(gateId));
    // In one order everywhere: two instances that lock the same rows must not wait for each other.
    const inOrder = owned.toSorted((one, other) => compare(one.gateId, other.gateId) || one.hourMs - other.hourMs);
    await addActions(trx, actionRows(inOrder));
    await addRules(trx, ruleRows(inOrder));
    await addRuleDays(trx, ruleDayRows(inOrder));
    await addEnvironments(trx, environmentRows(inOrder, owners));
  };
}

function environmentRows(
  counts: readonly HourCounts[],
  owners: ReadonlyMap<string, Owner>,
): Schema['environment_counts'][] {
  const rows = new Map<string, Schema['environment_counts']>();
  for (const { gateId, hourMs: hour, allow, block, challenge } of counts) {
    const { accountId: account_id = '', environment = '' } = owners.get(gateId) ?? {};
    const key = `${account_id} ${environment} ${hour}`;
    const row = rows.get(key) ?? { account_id, environment, hour, allow: 0, block: 0, challenge: 0 };
    rows.set(key, row);
    row.allow += allow;
    row.block += block;
    row.challenge += challenge;
  }
  return inKeyOrder(rows);
}

function actionRows(counts: readonly HourCounts[]) {
  return counts.flatMap((hour) =>
    (['allow', 'block', 'challenge'] as const)
      .filter((action) => hour[action] > 0)
      .map((action) => ({ gate_id: hour.gateId, hour: hour.hourMs, action, decisions: hour[action] })),
  );
}

function ruleRows(counts: readonly HourCounts[]) {
  return counts.flatMap(({ gateId, hourMs, rules }) =>
    [...rules.values()]
      .sort((one, other) => compare(one.ruleId, other.ruleId))
      .map((rule) => ({
        gate_id: gateId,
        hour: hourMs,
        rule_id: rule.ruleId,
        name: rule.name,
        matches: rule.matches,
        shadow_matches: rule.shadowMatches,
      })),
  );
}

function ruleDayRows(counts: readonly HourCounts[]): Schema['rule_days'][] {
  const rows = new Map<string, Schema['rule_days']>();
  for (const { gateId, hourMs, rules } of counts) {
    const day = hourMs - (hourMs % dayMs);
    for (const { ruleId, name, matches, shadowMatches } of rules.values()) {
      const key = `${gateId} ${day} ${ruleId}`;
      const { matches: live = 0, shadow_matches: shadow = 0 } = rows.get(key) ?? {};
      const total = { matches: live + matches, shadow_matches: shadow + shadowMatches };
      rows.set(key, { gate_id: gateId, day, rule_id: ruleId, name, ...total });
    }
  }
  return inKeyOrder(rows);
}

const inKeyOrder = <Row>(rows: ReadonlyMap<string, Row>): Row[] =>
  [...rows].sort(([one], [other]) => compare(one, other)).map(([, row]) => row);

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
