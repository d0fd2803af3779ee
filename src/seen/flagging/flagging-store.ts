import { sql, type Transaction } from 'kysely';
import type { Db } from '../../db/db.ts';
import type { Schema } from '../../db/schema.ts';
import type { Owner } from '../../http/endpoint.ts';
import type { FlagKind } from '../flag-kinds.ts';

/** A domain, or one below it, that an environment saw before it was flagged. */
export interface FlaggedDomain {
  readonly owner: Owner;
  readonly domain: string;
  readonly kind: FlagKind;
}

/** A domain that a lookup flagged for another reason than lists, and when. */
export interface Suspect {
  readonly domain: string;
  readonly kind: FlagKind;
  readonly notedAtMs: number;
}

/** Notifies an environment about domains, in the transaction that records the notification. */
export type Notify = (trx: Transaction<Schema>, owner: Owner, flagged: readonly FlaggedDomain[]) => Promise<void>;

/** A source of flags that one process at a time compares with the seen domains. */
export type Subject = 'lists' | 'mail-servers' | 'suspects';

/** Sent notifications, compared states and pending suspects, in the database. */
export interface FlaggingStore {
  /** Notifies environments about domains for the first time, all of them or none. Returns how many notifications were new. */
  notifyOnce(flagged: readonly FlaggedDomain[], day: number, notify: Notify): Promise<number>;
  addSuspects(suspects: readonly Suspect[]): Promise<void>;
  /** The oldest suspects that were recorded before a time. */
  suspects(beforeMs: number, limit: number): Promise<Suspect[]>;
  removeSuspects(suspects: readonly Suspect[]): Promise<void>;
  /** The state that any process compared last; empty before the first time. */
  compared(subject: Subject): Promise<string>;
  recordCompared(subject: Subject, compared: string): Promise<void>;
  /** Removes up to `limit` records of notifications from before a day; false when none is left. */
  removeBefore(day: number, limit: number): Promise<boolean>;
  removeAccount(accountId: string): Promise<void>;
}

export function createFlaggingStore(db: Db): FlaggingStore {
  return {
    notifyOnce: (flagged, day, notify) => db.transaction((trx) => notifyOnce(trx, flagged, day, notify)),
    async addSuspects(suspects) {
      if (suspects.length === 0) return;
      const rows = suspects.map(({ domain, kind, notedAtMs }) => ({ domain, kind, noted_at: notedAtMs }));
      rows.sort((one, other) => (one.domain < other.domain ? -1 : 1));
      const query = db.write.insertInto('flag_suspects').values(rows);
      await query.onConflict((conflict) => conflict.doNothing()).execute();
    },
    async suspects(beforeMs, limit) {
      const query = db.read.selectFrom('flag_suspects').selectAll().where('noted_at', '<=', beforeMs);
      const rows = await query.orderBy('noted_at').limit(limit).execute();
      return rows.map(({ domain, kind, noted_at }) => ({ domain, kind: kind as FlagKind, notedAtMs: noted_at }));
    },
    async removeSuspects(suspects) {
      for (const { domain, kind } of suspects) {
        await db.write.deleteFrom('flag_suspects').where('domain', '=', domain).where('kind', '=', kind).execute();
      }
    },
    async compared(subject) {
      const query = db.read.selectFrom('flag_comparisons').select('compared').where('subject', '=', subject);
      return (await query.executeTakeFirst())?.compared ?? '';
    },
    async recordCompared(subject, compared) {
      const query = db.write.insertInto('flag_comparisons').values({ subject, compared });
      await query.onConflict((conflict) => conflict.column('subject').doUpdateSet({ compared })).execute();
    },
    async removeBefore(day, limit) {
      const old = sql`select account_id, environment, domain, kind from flagged_domains where day < ${day} limit ${limit}`;
      const removed = await sql`delete from flagged_domains
        where (account_id, environment, domain, kind) in (${old})`.execute(db.write);
      return Number(removed.numAffectedRows ?? 0) > 0;
    },
    async removeAccount(accountId) {
      await db.write.deleteFrom('flagged_domains').where('account_id', '=', accountId).execute();
    },
  };
}

async function notifyOnce(
  trx: Transaction<Schema>,
  flagged: readonly FlaggedDomain[],
  day: number,
  notify: Notify,
): Promise<number> {
  if (flagged.length === 0) return 0;
  // Sorted, so that two instances that write the same rows cannot deadlock.
  const inOrder = flagged.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const rows = inOrder.map(({ owner, domain, kind }) => ({
    account_id: owner.accountId,
    environment: owner.environment,
    domain,
    kind,
    day,
  }));
  const added = await trx
    .insertInto('flagged_domains')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['account_id', 'environment', 'domain', 'kind'])
    .execute();
  const isNew = new Set(added.map((row) => `${row.account_id} ${row.environment} ${row.domain} ${row.kind}`));
  const byOwner = Map.groupBy(
    inOrder.filter((one) => isNew.delete(keyOf(one))),
    ({ owner }) => `${owner.accountId} ${owner.environment}`,
  );
  for (const ofOwner of byOwner.values()) {
    const [first] = ofOwner;
    if (first !== undefined) await notify(trx, first.owner, ofOwner);
  }
  return added.length;
}

const keyOf = ({ owner, domain, kind }: FlaggedDomain): string =>
  `${owner.accountId} ${owner.environment} ${domain} ${kind}`;
