import type { Transaction } from 'kysely';
import type { Db } from './db.ts';
import type { Schema } from './schema.ts';

/** How far back a poll looks: longer than a transaction lasts and clocks of instances differ. */
const windowMs = 60_000;
/** After this long without a look a change may have left the window unseen. */
const gapMs = 30_000;

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
      })),
    )
    .execute();
}

/** How to look for changes, and how often. */
export interface WatchOptions {
  readonly now: () => number;
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
 * Tells what other processes, or this one, changed since the look before; the first look only learns where things stand.
 * `onGap` comes with the first look that succeeds after too long without one: anything may have changed.
 */
export function watchChanges(
  db: Db,
  { now, intervalMs = 300 }: WatchOptions,
  onChange: (topic: string, scope: string) => void,
  onGap: () => void,
): ChangeWatch {
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>();
  let known: ReadonlyMap<string, number> | null = null;
  let lastSuccessMs = now();
  let failed = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const digest = (rows: readonly Change[], beganMs: number): void => {
    const isGap = beganMs - lastSuccessMs >= gapMs || (known === null && failed);
    const changed = rows.filter((row) => known !== null && known.get(keyOf(row)) !== row.revision);
    known = new Map(rows.map((row) => [keyOf(row), row.revision]));
    lastSuccessMs = beganMs;
    becomeReady();
    if (isGap) onGap();
    else for (const { topic, scope } of changed) onChange(topic, scope);
  };
  const loop = async (): Promise<void> => {
    const beganMs = now();
    // While the storage is away `lastSuccessMs` says since when, and the gap is made good once it is back.
    const rows = await readChanges(db, beganMs - windowMs).catch(() => null);
    if (stopped) return;
    if (rows === null) failed = true;
    else digest(rows, beganMs);
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

const keyOf = ({ topic, scope }: Change): string => `${topic}\n${scope}`;

async function readChanges(db: Db, sinceMs: number): Promise<Change[]> {
  return db.read
    .selectFrom('changes')
    .select(['topic', 'scope', 'revision'])
    .where('changed_at', '>', sinceMs)
    .orderBy('changed_at')
    .execute();
}
