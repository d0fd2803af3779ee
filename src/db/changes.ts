import { sql, type Transaction } from 'kysely';
import type { Db } from './db.ts';
import type { Schema } from './schema.ts';

/** Records, inside the writer's transaction, that something under `topic` and `scope` changed. */
export async function recordChange(
  trx: Transaction<Schema>,
  topic: string,
  scope: string,
  nowMs: number,
): Promise<void> {
  await trx
    .insertInto('changes')
    .values({ topic, scope, revision: 1, changed_at: nowMs })
    .onConflict((conflict) =>
      conflict.columns(['topic', 'scope']).doUpdateSet((row) => ({
        revision: row('changes.revision', '+', 1),
        changed_at: row.ref('excluded.changed_at'),
        position: row.ref('excluded.position'),
      })),
    )
    .execute();
}

/** Polls for changes; a job calls `poll`. */
export interface ChangePoll {
  /** Resolves when the first poll has succeeded. */
  readonly ready: Promise<void>;
  /** When the last successful poll started: caches are current up to then. */
  lastSuccessMs(): number;
  poll(): Promise<void>;
}

/**
 * Reports changes by any process since the previous poll, however long ago that was; the first poll only learns the current
 * position. `onGap` reports that anything may have changed: the first poll failed, or the storage is older than before (a
 * standby took over, a backup was restored). No clock is involved: those of writers may differ or be set.
 */
export function createChangePoll(
  db: Db,
  monotonicMs: () => number,
  onChange: (topic: string, scope: string) => void,
  onGap: () => void,
): ChangePoll {
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>();
  let since: number | null = null;
  let known: ReadonlyMap<string, number> = new Map();
  let lastSuccessMs = monotonicMs();
  let failed = false;

  const apply = ({ rows, through }: Poll, startedMs: number): void => {
    const isGap = since === null ? failed : through < since;
    const changed = since === null ? [] : rows.filter((row) => known.get(keyOf(row)) !== row.revision);
    known = new Map(rows.map((row) => [keyOf(row), row.revision]));
    since = through;
    lastSuccessMs = startedMs;
    becomeReady();
    if (isGap) onGap();
    else for (const { topic, scope } of changed) onChange(topic, scope);
  };
  return {
    ready,
    lastSuccessMs: () => lastSuccessMs,
    async poll() {
      const startedMs = monotonicMs();
      try {
        apply(await readChanges(db, since), startedMs);
      } catch (error) {
        // While the storage is unavailable `lastSuccessMs` stays; the next successful poll misses nothing.
        failed = true;
        throw error;
      }
    },
  };
}

interface Change {
  readonly topic: string;
  readonly scope: string;
  readonly revision: number;
}

/** Every change at `since` or later, and the position from which the next poll continues. */
interface Poll {
  readonly rows: readonly Change[];
  readonly through: number;
}

const keyOf = ({ topic, scope }: Change): string => `${topic}\n${scope}`;

/**
 * PostgreSQL: changes that a poll cannot see yet belong to transactions that were running or began later, so their numbers are at
 * least that of the oldest running one, the `xmin` of the poll's snapshot. SQLite has one writer, so positions are committed in
 * order.
 */
async function readChanges(db: Db, since: number | null): Promise<Poll> {
  const next =
    db.engine === 'postgres'
      ? sql`select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as through`
      : sql`select coalesce(max(position), 0) + 1 as through from changes`;
  const { rows } = await sql<{ through: number } & { [K in keyof Change]: Change[K] | null }>`
    select next.through, changes.topic, changes.scope, changes.revision
    from (${next}) next left join changes on changes.position >= coalesce(${since}, next.through)
    order by changes.position`.execute(db.read);
  const isChange = (row: { topic: string | null }): row is Change & { through: number } => row.topic !== null;
  return { rows: rows.filter(isChange), through: rows[0]?.through ?? 0 };
}
