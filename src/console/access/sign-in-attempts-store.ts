import type { Transaction } from 'kysely';
import type { Db } from '../../db/db.ts';
import type { Schema } from '../../db/schema.ts';
import type { Attempts, AttemptsByHash } from './sign-in-throttle.ts';

/** Sign-in attempts in the database, so that all processes count together. */
export interface SignInAttemptsStore {
  /** The unexpired attempts of these hashes. */
  read(hashes: readonly string[], nowMs: number): Promise<AttemptsByHash>;
  /**
   * Passes the attempts of the hashes to `isRefused` under a lock. Counts one more attempt for each hash
   * in `counted`, or none when it is refused. Returns the attempts that `isRefused` received.
   */
  count(
    hashes: readonly string[],
    counted: readonly string[],
    times: { readonly nowMs: number; readonly forgetAtMs: number },
    isRefused: (attempts: AttemptsByHash) => boolean,
  ): Promise<AttemptsByHash>;
  /** Records a sign-in: resets some counts, subtracts one from `own`, and keeps `known` until `knownUntilMs`. */
  succeed(success: {
    readonly forgotten: readonly string[];
    readonly own: string;
    readonly known: string;
    readonly nowMs: number;
    readonly knownUntilMs: number;
  }): Promise<void>;
  /** Keeps a mark until `untilMs`. */
  keep(known: string, nowMs: number, untilMs: number): Promise<void>;
  prune(nowMs: number): Promise<void>;
}

export function createSignInAttemptsStore(db: Db): SignInAttemptsStore {
  return {
    async read(hashes, nowMs) {
      const rows = await db.read.selectFrom('sign_in_tries').selectAll().where('hash', 'in', hashes).execute();
      return byHash(rows, nowMs);
    },
    count: (hashes, counted, { nowMs, forgetAtMs }, isRefused) =>
      db.transaction(async (trx) => {
        const rows = await lock(trx, hashes, nowMs);
        const attempts = byHash(rows, nowMs);
        if (isRefused(attempts)) return attempts;
        for (const hash of counted) {
          await trx
            .updateTable('sign_in_tries')
            .set({ tries: (attempts.get(hash)?.count ?? 0) + 1, last_at: nowMs, forget_at: forgetAtMs })
            .where('hash', '=', hash)
            .execute();
        }
        return attempts;
      }),
    succeed: ({ forgotten, own, known, nowMs, knownUntilMs }) =>
      db.transaction(async (trx) => {
        await lock(trx, [...forgotten, own, known], nowMs);
        await trx.deleteFrom('sign_in_tries').where('hash', 'in', forgotten).execute();
        await trx
          .updateTable('sign_in_tries')
          .set(({ eb }) => ({ tries: eb('tries', '-', 1) }))
          .where('hash', '=', own)
          .where('tries', '>', 0)
          .execute();
        await keep(trx, known, nowMs, knownUntilMs);
      }),
    keep: (known, nowMs, untilMs) =>
      db.transaction(async (trx) => {
        await lock(trx, [known], nowMs);
        await keep(trx, known, nowMs, untilMs);
      }),
    async prune(nowMs) {
      await db.write.deleteFrom('sign_in_tries').where('forget_at', '<=', nowMs).execute();
    },
  };
}

/** Creates missing rows, because only a row can be locked; always in one order, to avoid deadlocks. */
function lock(trx: Transaction<Schema>, hashes: readonly string[], nowMs: number) {
  const rows = hashes.toSorted().map((hash) => ({ hash, tries: 0, last_at: nowMs, forget_at: nowMs }));
  return trx
    .insertInto('sign_in_tries')
    .values(rows)
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ hash: (row) => row.ref('excluded.hash') }))
    .returningAll()
    .execute();
}

async function keep(trx: Transaction<Schema>, known: string, nowMs: number, untilMs: number): Promise<void> {
  const kept = { last_at: nowMs, forget_at: untilMs };
  await trx.updateTable('sign_in_tries').set(kept).where('hash', '=', known).execute();
}

function byHash(rows: readonly Schema['sign_in_tries'][], nowMs: number): AttemptsByHash {
  const remembered = rows.filter(({ forget_at: forgetAtMs }) => forgetAtMs > nowMs);
  return new Map(remembered.map((row): [string, Attempts] => [row.hash, { count: row.tries, lastMs: row.last_at }]));
}
