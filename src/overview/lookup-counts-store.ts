import { sql, type Transaction } from 'kysely';
import type { Db } from '../db/db.ts';
import type { Schema } from '../db/schema.ts';
import type { Owner } from '../http/endpoint.ts';
import type { HourOfLookups } from './lookup-counts.ts';

/** An hour as it is written: with the domains that were asked for most. */
export interface WrittenHour extends Omit<HourOfLookups, 'domains'> {
  readonly topDomains: readonly (readonly [domain: string, lookups: number])[];
}

/** Lookups of one bucket of time. */
export interface LookupBucket {
  readonly atMs: number;
  readonly lookups: number;
  readonly disposable: number;
  readonly relay: number;
  readonly noMail: number;
  readonly notFoundOut: number;
  readonly peak: number;
}

/** What was looked up, counted, in the database. */
export interface LookupCountsStore {
  /** Adds to the counters, all or none. */
  add(hours: readonly WrittenHour[]): Promise<void>;
  /** By bucket of `bucketMs`, for the hours from `fromMs` on. */
  buckets(owner: Owner, fromMs: number, bucketMs: number): Promise<LookupBucket[]>;
  /** The domains asked for most since the quarter of a day that `fromMs` is in. */
  topDomains(owner: Owner, fromMs: number, limit: number): Promise<{ domain: string; lookups: number }[]>;
  prune(beforeMs: number): Promise<void>;
  remove(accountId: string): Promise<void>;
}

/** Top domains are counted by quarters of a day, and so many are kept of each. */
export const quarterMs = 21_600_000;
export const keptDomains = 100;

export function createLookupCountsStore(db: Db): LookupCountsStore {
  return {
    add: (hours) =>
      db.background.transaction(async (trx) => {
        if (hours.length === 0) return;
        // In one order everywhere: two instances that lock the same rows must not wait for each other.
        const inOrder = hours.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
        await addHours(trx, inOrder);
        for (const hour of inOrder) await addDomains(trx, hour);
      }),
    async buckets({ accountId, environment }, fromMs, bucketMs) {
      const bucket = sql<number>`hour - hour % ${sql.lit(bucketMs)}`;
      const rows = await db.read
        .selectFrom('lookup_counts')
        .select(bucket.as('at'))
        .select(({ fn }) => [
          fn.sum<number>('lookups').as('lookups'),
          fn.sum<number>('disposable').as('disposable'),
          fn.sum<number>('relay').as('relay'),
          fn.sum<number>('no_mail').as('no_mail'),
          fn.sum<number>('not_found_out').as('not_found_out'),
          fn.max('peak').as('peak'),
        ])
        .where('account_id', '=', accountId)
        .where('environment', '=', environment)
        .where('hour', '>=', fromMs)
        .groupBy(bucket)
        .execute();
      return rows.map(({ at, no_mail, not_found_out, ...row }) => ({
        ...row,
        atMs: at,
        noMail: no_mail,
        notFoundOut: not_found_out,
      }));
    },
    topDomains: ({ accountId, environment }, fromMs, limit) =>
      db.read
        .selectFrom('lookup_domains')
        .select('domain')
        .select(({ fn }) => fn.sum<number>('lookups').as('lookups'))
        .where('account_id', '=', accountId)
        .where('environment', '=', environment)
        .where('quarter', '>=', fromMs - (fromMs % quarterMs))
        .groupBy('domain')
        .orderBy('lookups', 'desc')
        .orderBy('domain')
        .limit(limit)
        .execute(),
    async prune(beforeMs) {
      await db.background.write.deleteFrom('lookup_counts').where('hour', '<', beforeMs).execute();
      await db.background.write.deleteFrom('lookup_domains').where('quarter', '<', beforeMs).execute();
    },
    async remove(accountId) {
      await db.write.deleteFrom('lookup_counts').where('account_id', '=', accountId).execute();
      await db.write.deleteFrom('lookup_domains').where('account_id', '=', accountId).execute();
    },
  };
}

const keyOf = ({ owner, hourMs }: WrittenHour): string => `${owner.accountId} ${owner.environment} ${hourMs}`;

async function addHours(trx: Transaction<Schema>, hours: readonly WrittenHour[]): Promise<void> {
  const rows = hours.map(({ owner, hourMs, lookups, disposable, relay, noMail, notFoundOut, peak }) => ({
    account_id: owner.accountId,
    environment: owner.environment,
    hour: hourMs,
    lookups,
    disposable,
    relay,
    no_mail: noMail,
    not_found_out: notFoundOut,
    peak,
  }));
  const plus = (column: string) =>
    sql<number>`${sql.ref(`lookup_counts.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
  await trx
    .insertInto('lookup_counts')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'environment', 'hour']).doUpdateSet({
        lookups: plus('lookups'),
        disposable: plus('disposable'),
        relay: plus('relay'),
        no_mail: plus('no_mail'),
        not_found_out: plus('not_found_out'),
        peak: sql`case when excluded.peak > lookup_counts.peak then excluded.peak else lookup_counts.peak end`,
      }),
    )
    .execute();
}

async function addDomains(trx: Transaction<Schema>, { owner, hourMs, topDomains }: WrittenHour): Promise<void> {
  if (topDomains.length === 0) return;
  const place = {
    account_id: owner.accountId,
    environment: owner.environment,
    quarter: hourMs - (hourMs % quarterMs),
  };
  const rows = topDomains.map(([domain, lookups]) => ({ ...place, domain, lookups }));
  rows.sort((one, other) => (one.domain < other.domain ? -1 : 1));
  await trx
    .insertInto('lookup_domains')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'environment', 'quarter', 'domain'])
        .doUpdateSet({ lookups: sql`lookup_domains.lookups + excluded.lookups` }),
    )
    .execute();
  const ofPlace = trx
    .selectFrom('lookup_domains')
    .where('account_id', '=', place.account_id)
    .where('environment', '=', place.environment)
    .where('quarter', '=', place.quarter);
  const beyond = await ofPlace
    .select('domain')
    .orderBy('lookups', 'desc')
    .orderBy('domain')
    .limit(keptDomains)
    .offset(keptDomains)
    .execute();
  if (beyond.length === 0) return;
  await trx
    .deleteFrom('lookup_domains')
    .where('account_id', '=', place.account_id)
    .where('environment', '=', place.environment)
    .where('quarter', '=', place.quarter)
    .where(
      'domain',
      'in',
      beyond.map(({ domain }) => domain),
    )
    .execute();
}
