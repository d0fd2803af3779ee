import type { Transaction } from 'kysely';
import type { Db } from '../../db/db.ts';
import type { Schema } from '../../db/schema.ts';
import type { Tries, TriesByHash } from './sign-in-throttle.ts';

/** Tries to sign in, in the database, so that every process counts the same ones. */
export interface SignInTriesStore {
  /** Those that are known of the hashes and not to be forgotten yet. */
  read(hashes: readonly string[], nowMs: number): Promise<TriesByHash>;
  /**
   * Shows `isRefused` what is known of the hashes while nobody else can count them. Counts one more try for each that is
   * in `counted`, or, when it is refused, none. Gives what `isRefused` was shown.
   */
  count(
    hashes: readonly string[],
    counted: readonly string[],
    times: { readonly nowMs: number; readonly forgetAtMs: number },
    isRefused: (tries: TriesByHash) => boolean,
  ): Promise<TriesByHash>;
  /** Notes a sign-in: the tries of some are forgotten, one of `own` is none, and `known` is remembered until `knownUntilMs`. */
  succeed(success: {
    readonly forgotten: readonly string[];
    readonly own: string;
    readonly known: string;
    readonly nowMs: number;
    readonly knownUntilMs: number;
  }): Promise<void>;
  prune(nowMs: number): Promise<void>;
}

export function createSignInTriesStore(db: Db): SignInTriesStore {
  return {
    async read(hashes, nowMs) {
      const rows = await db.read.selectFrom('sign_in_tries').selectAll().where('hash', 'in', hashes).execute();
      return byHash(rows, nowMs);
    },
    count: (hashes, counted, { nowMs, forgetAtMs }, isRefused) =>
      db.transaction(async (trx) => {
        const rows = await lock(trx, hashes, nowMs);
        const tries = byHash(rows, nowMs);
        if (isRefused(tries)) return tries;
        for (const hash of counted) {
          await trx
            .updateTable('sign_in_tries')
            .set({ tries: (tries.get(hash)?.count ?? 0) + 1, last_at: nowMs, forget_at: forgetAtMs })
            .where('hash', '=', hash)
            .execute();
        }
        return tries;
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
        await trx
          .updateTable('sign_in_tries')
          .set({ last_at: nowMs, forget_at: knownUntilMs })
          .where('hash', '=', known)
          .execute();
      }),
    async prune(nowMs) {
      await db.write.deleteFrom('sign_in_tries').where('forget_at', '<=', nowMs).execute();
    },
  };
}

/** Rows that are not there are made, for only a row can be locked; always in one order, so that no two wait for each other. */
function lock(trx: Transaction<Schema>, hashes: readonly string[], nowMs: number) {
  const rows = hashes.toSorted().map((hash) => ({ hash, tries: 0, last_at: nowMs, forget_at: nowMs }));
  return trx
    .insertInto('sign_in_tries')
    .values(rows)
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ hash: (row) => row.ref('excluded.hash') }))
    .returningAll()
    .execute();
}

function byHash(rows: readonly Schema['sign_in_tries'][], nowMs: number): TriesByHash {
  const remembered = rows.filter(({ forget_at: forgetAtMs }) => forgetAtMs > nowMs);
  return new Map(remembered.map((row): [string, Tries] => [row.hash, { count: row.tries, lastMs: row.last_at }]));
}
