import type { Transaction } from 'kysely';
import { createAddToCounters } from '../db/add-to-counters.ts';
import type { Db } from '../db/db.ts';
import { removeBefore } from '../db/remove-before.ts';
import type { Schema } from '../db/schema.ts';
import type { HookActivity } from './call-recorder.ts';
import type { CallCounts, CallResult } from './hook.ts';

/** A hook whose calls were rejected or could not be decided. */
export interface TroubledHook {
  readonly id: string;
  readonly name: string;
  readonly lastError: string;
  readonly rejected: number;
  readonly unavailable: number;
}

export interface HookCallsStore {
  /** Adds to the counts and updates the last call and error, all or none. */
  add(activities: readonly HookActivity[]): Promise<void>;
  /** The counts of some hooks since `fromMs`; hooks without calls are missing. */
  countsOf(hookIds: readonly string[], fromMs: number): Promise<ReadonlyMap<string, CallCounts>>;
  /** Hooks whose last call failed. */
  troubled(fromMs: number): Promise<TroubledHook[]>;
  prune(beforeMs: number): Promise<void>;
}

const counters = {
  allow: 'bigint',
  block: 'bigint',
  no_email: 'bigint',
  unavailable: 'bigint',
  rejected: 'bigint',
  disabled: 'bigint',
} as const satisfies Record<CallResult, 'bigint'>;
const results = Object.keys(counters) as readonly CallResult[];

export function createHookCallsStore(db: Db): HookCallsStore {
  const addCounts = createAddToCounters(
    db,
    'hook_calls',
    { hook_id: 'text', slot: 'bigint', ...counters },
    { key: ['hook_id', 'slot'] },
  );
  const since = (fromMs: number) =>
    db.read
      .selectFrom('hook_calls')
      .select('hook_id')
      .select(({ fn }) => results.map((name) => fn.sum<number>(name).as(name)))
      .where('slot', '>', fromMs)
      .groupBy('hook_id');
  return {
    add: (activities) =>
      db.background.transaction(async (trx) => {
        const rows = activities.flatMap(({ hookId, slots }) =>
          Array.from(slots, ([slot, counts]) => ({ hook_id: hookId, slot, ...counts })),
        );
        await addCounts(trx, rows.sort(byKey));
        await updateLast(trx, activities);
      }),
    async countsOf(hookIds, fromMs) {
      if (hookIds.length === 0) return new Map();
      const rows = await since(fromMs).where('hook_id', 'in', hookIds).execute();
      return new Map(rows.map(({ hook_id, ...counts }) => [hook_id, numbered(counts)]));
    },
    async troubled(fromMs) {
      const rows = await db.read
        .selectFrom('hooks')
        .innerJoin(since(fromMs).as('calls'), 'calls.hook_id', 'hooks.id')
        .select(['hooks.id', 'hooks.name', 'hooks.last_error', 'calls.rejected', 'calls.unavailable'])
        .where('hooks.last_error', 'is not', null)
        .orderBy('hooks.id')
        .limit(100)
        .execute();
      return rows.map(({ id, name, last_error, rejected, unavailable }) => ({
        id,
        name,
        lastError: last_error ?? '',
        rejected: Number(rejected),
        unavailable: Number(unavailable),
      }));
    },
    prune: (beforeMs) => removeBefore(db, 'hook_calls', 'slot', beforeMs),
  };
}

/** Updates the last call and the last error of each hook that has new ones. */
async function updateLast(trx: Transaction<Schema>, activities: readonly HookActivity[]): Promise<void> {
  for (const { hookId, lastCallAtMs, lastError } of activities.toSorted(byHook)) {
    if (lastCallAtMs === undefined && lastError === undefined) continue;
    const called = lastCallAtMs === undefined ? {} : { last_call_at: lastCallAtMs };
    const failed = lastError === undefined ? {} : { last_error: lastError };
    await trx
      .updateTable('hooks')
      .set({ ...called, ...failed })
      .where('id', '=', hookId)
      .execute();
  }
}

/** PostgreSQL returns sums as text. */
function numbered(counts: Readonly<Record<string, number>>): CallCounts {
  return Object.fromEntries(results.map((name) => [name, Number(counts[name] ?? 0)])) as CallCounts;
}

interface Keyed {
  readonly hook_id: string;
  readonly slot: number;
}

/** Rows are changed in one order everywhere, so that two instances cannot deadlock. */
const byKey = (one: Keyed, other: Keyed): number =>
  one.hook_id < other.hook_id ? -1 : one.hook_id > other.hook_id ? 1 : one.slot - other.slot;
const byHook = (one: HookActivity, other: HookActivity): number => (one.hookId < other.hookId ? -1 : 1);
