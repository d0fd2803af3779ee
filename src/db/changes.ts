import { sql, type Transaction } from 'kysely';
import type { Db } from './db.ts';
import type { Schema } from './schema.ts';

/** Notes, inside the writer's transaction, that something under `topic` and `scope` changed. */
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

/** How to look for changes, and how often. */
export interface WatchOptions {
  readonly monotonicMs: () => number;
  readonly intervalMs?: number;
}

/** A running look-out for changes. */
export interface ChangeWatch {
  /** Resolves when the first look has succeeded. */
  readonly ready: Promise<void>;
  /** When the last look that succeeded began; what was cached before is as fresh as that. */
  lastSuccessMs(): number;
  stop(): void;
}

/**
 * Tells what other processes, or this one, changed since the look before, however long ago that was; the first look only
 * learns where things stand. `onGap` says that anything may have changed: the first look failed, or the storage is an older
 * one than before (a standby took over, a backup was restored). No clock is asked: those of writers may differ or be set.
 */
export function watchChanges(
  db: Db,
  { monotonicMs, intervalMs = 300 }: WatchOptions,
  onChange: (topic: string, scope: string) => void,
  onGap: () => void,
): ChangeWatch {
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>();
  let since: number | null = null;
  let known: ReadonlyMap<string, number> = new Map();
  let lastSuccessMs = monotonicMs();
  let failed = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const digest = ({ rows, through }: Look, beganMs: number): void => {
    const isGap = since === null ? failed : through < since;
    const changed = since === null ? [] : rows.filter((row) => known.get(keyOf(row)) !== row.revision);
    known = new Map(rows.map((row) => [keyOf(row), row.revision]));
    since = through;
    lastSuccessMs = beganMs;
    becomeReady();
    if (isGap) onGap();
    else for (const { topic, scope } of changed) onChange(topic, scope);
  };
  const loop = async (): Promise<void> => {
    const beganMs = monotonicMs();
    // While the storage is away `lastSuccessMs` says since when; once it is back nothing was missed.
    const look = await readChanges(db, since).catch(() => null);
    if (stopped) return;
    if (look === null) failed = true;
    else digest(look, beganMs);
    timer = setTimeout(loop, intervalMs).unref();
  };
  loop();
  return {
    ready,
    lastSuccessMs: () => lastSuccessMs,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

interface Change {
  readonly topic: string;
  readonly scope: string;
  readonly revision: number;
}

/** Every change at `since` or later, and from where the next look has to go on. */
interface Look {
  readonly rows: readonly Change[];
  readonly through: number;
}

const keyOf = ({ topic, scope }: Change): string => `${topic}\n${scope}`;

/**
 * PostgreSQL: what a look cannot see yet is of a transaction that was running then or began later, so its number is at least
 * that of the oldest that was running, the `xmin` of the look's snapshot. SQLite: writers take turns, so positions are committed
 * in order.
 */
async function readChanges(db: Db, since: number | null): Promise<Look> {
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
