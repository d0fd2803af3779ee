import { sql, type Transaction } from 'kysely';
import type { Db } from '../db/db.ts';
import type { Schema } from '../db/schema.ts';
import type { Owner } from '../http/endpoint.ts';
import type { FlagKind } from '../seen/flag-kinds.ts';

/** A domain, or one below it, that an environment saw before it was flagged. */
export interface FlaggedDomain {
  readonly owner: Owner;
  readonly domain: string;
  readonly kind: FlagKind;
}

/** A domain that is flagged by something else than lists, when it was found to be. */
export interface Suspect {
  readonly domain: string;
  readonly kind: FlagKind;
  readonly notedAtMs: number;
}

/** Tells an environment of domains, in the transaction that notes that it was told. */
export type Tell = (trx: Transaction<Schema>, owner: Owner, flagged: readonly FlaggedDomain[]) => Promise<void>;

/** What is compared with what was seen, one process at a time. */
export type Subject = 'lists' | 'mail-servers' | 'suspects';

/** What environments were told, what was compared, and what is still to be looked into, in the database. */
export interface FlaggingStore {
  /** Tells environments of domains they were not told of before, all or none of them; how many there were. */
  announce(flagged: readonly FlaggedDomain[], day: number, tell: Tell): Promise<number>;
  addSuspects(suspects: readonly Suspect[]): Promise<void>;
  /** The oldest suspects, of before a time. */
  suspects(beforeMs: number, most: number): Promise<Suspect[]>;
  removeSuspects(suspects: readonly Suspect[]): Promise<void>;
  /** What was compared last, by any process; empty before the first time. */
  compared(subject: Subject): Promise<string>;
  /** Notes what was compared. */
  noteCompared(subject: Subject, compared: string): Promise<void>;
  /** Forgets some of what was told before a day; whether there was any. */
  removeBefore(day: number, most: number): Promise<boolean>;
  removeAccount(accountId: string): Promise<void>;
}

export function createFlaggingStore(db: Db): FlaggingStore {
  return {
    announce: (flagged, day, tell) => db.transaction((trx) => announce(trx, flagged, day, tell)),
    async addSuspects(suspects) {
      if (suspects.length === 0) return;
      const rows = suspects.map(({ domain, kind, notedAtMs }) => ({ domain, kind, noted_at: notedAtMs }));
      rows.sort((one, other) => (one.domain < other.domain ? -1 : 1));
      const query = db.write.insertInto('flag_suspects').values(rows);
      await query.onConflict((conflict) => conflict.doNothing()).execute();
    },
    async suspects(beforeMs, most) {
      const query = db.read.selectFrom('flag_suspects').selectAll().where('noted_at', '<=', beforeMs);
      const rows = await query.orderBy('noted_at').limit(most).execute();
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
    async noteCompared(subject, compared) {
      const query = db.write.insertInto('flag_comparisons').values({ subject, compared });
      await query.onConflict((conflict) => conflict.column('subject').doUpdateSet({ compared })).execute();
    },
    async removeBefore(day, most) {
      const old = sql`select account_id, environment, domain, kind from flagged_domains where day < ${day} limit ${most}`;
      const removed = await sql`delete from flagged_domains
        where (account_id, environment, domain, kind) in (${old})`.execute(db.write);
      return Number(removed.numAffectedRows ?? 0) > 0;
    },
    async removeAccount(accountId) {
      await db.write.deleteFrom('flagged_domains').where('account_id', '=', accountId).execute();
    },
  };
}

async function announce(
  trx: Transaction<Schema>,
  flagged: readonly FlaggedDomain[],
  day: number,
  tell: Tell,
): Promise<number> {
  if (flagged.length === 0) return 0;
  // In one order everywhere: two instances that write the same rows must not wait for each other.
  const inOrder = flagged.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const rows = inOrder.map(({ owner, domain, kind }) => ({
    account_id: owner.accountId,
    environment: owner.environment,
    domain,
    kind,
    day,
  }));
  const news = await trx
    .insertInto('flagged_domains')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['account_id', 'environment', 'domain', 'kind'])
    .execute();
  const isNews = new Set(news.map((row) => `${row.account_id} ${row.environment} ${row.domain} ${row.kind}`));
  const byOwner = Map.groupBy(
    inOrder.filter((one) => isNews.delete(keyOf(one))),
    ({ owner }) => `${owner.accountId} ${owner.environment}`,
  );
  for (const ofOwner of byOwner.values()) {
    const [first] = ofOwner;
    if (first !== undefined) await tell(trx, first.owner, ofOwner);
  }
  return news.length;
}

const keyOf = ({ owner, domain, kind }: FlaggedDomain): string =>
  `${owner.accountId} ${owner.environment} ${domain} ${kind}`;
