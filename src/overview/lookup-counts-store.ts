import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Db } from '../db/db.ts';
import { removeBefore } from '../db/remove-before.ts';
import type { Schema } from '../db/schema.ts';
import { withParameters } from '../db/with-parameters.ts';
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
  const statements = compileStatements(db);
  return {
    add: (hours) =>
      db.background.transaction(async (trx) => {
        if (hours.length === 0) return;
        await addHours(trx, statements, hours);
        await addDomains(trx, statements, hours);
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
      await removeBefore(db, 'lookup_counts', 'hour', beforeMs);
      await removeBefore(db, 'lookup_domains', 'quarter', beforeMs);
    },
    async remove(accountId) {
      await db.write.deleteFrom('lookup_counts').where('account_id', '=', accountId).execute();
      await db.write.deleteFrom('lookup_domains').where('account_id', '=', accountId).execute();
    },
  };
}

/** Counters of an hour that are added up. */
const counters = ['lookups', 'disposable', 'relay', 'no_mail', 'not_found_out'] as const;
const hour = ['account_id', 'environment', 'hour'] as const;
const place = ['account_id', 'environment', 'quarter'] as const;
type Place = Pick<Schema['lookup_domains'], (typeof place)[number]>;
type Statements = ReturnType<typeof compileStatements>;

/**
 * What is written for many owners at a time, built once: to build these takes longer than to run them. Rows are changed in one
 * order everywhere: two instances that lock the same ones must not wait for each other.
 */
function compileStatements({ engine, read }: Db) {
  const columns = [...hour, ...counters, 'peak'];
  const sums = counters.map((name) => sql.raw(`${name} = lookup_counts.${name} + excluded.${name}`));
  const counted = listed(engine, [...place, 'domain', 'lookups']);
  return {
    addHours: sql`${listed(engine, columns)} insert into lookup_counts (${names(columns)})
      select ${names(columns)} from listed where true order by 1, 2, 3
      on conflict (${names(hour)}) do update set ${sql.join(sums)},
        peak = case when excluded.peak > lookup_counts.peak then excluded.peak else lookup_counts.peak end`.compile(
      read,
    ),
    // Two hours of a quarter may have the same domain, and a statement may change a row only once.
    addDomains: sql`${counted} insert into lookup_domains (${names(place)}, domain, lookups)
      select ${names(place)}, domain, sum(lookups) from listed where true group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (${names(place)}, domain) do update set lookups = lookup_domains.lookups + excluded.lookups`.compile(
      read,
    ),
    fullPlaces: sql<Place>`${counted}, places as (select distinct ${names(place)} from listed)
      select ${names(place)} from places join lookup_domains using (${names(place)})
      group by 1, 2, 3 having count(*) > ${sql.lit(keptDomains)}`.compile(read),
  };
}

async function addHours(
  trx: Transaction<Schema>,
  statements: Statements,
  hours: readonly WrittenHour[],
): Promise<void> {
  const rows = hours.map(({ owner, hourMs, lookups, disposable, relay, noMail, notFoundOut, peak }) => {
    return [owner.accountId, owner.environment, hourMs, lookups, disposable, relay, noMail, notFoundOut, peak];
  });
  await trx.executeQuery(withParameters(statements.addHours, JSON.stringify(rows)));
}

async function addDomains(
  trx: Transaction<Schema>,
  statements: Statements,
  hours: readonly WrittenHour[],
): Promise<void> {
  const rows = hours.flatMap(({ owner, hourMs, topDomains }) =>
    topDomains.map((counted) => [owner.accountId, owner.environment, hourMs - (hourMs % quarterMs), ...counted]),
  );
  if (rows.length === 0) return;
  const values = JSON.stringify(rows);
  await trx.executeQuery(withParameters(statements.addDomains, values));
  const { rows: full } = await trx.executeQuery(withParameters(statements.fullPlaces, values));
  for (const each of full) await dropRarest(trx, each);
}

async function dropRarest(trx: Transaction<Schema>, { account_id, environment, quarter }: Place): Promise<void> {
  const beyond = await trx
    .selectFrom('lookup_domains')
    .select('domain')
    .where('account_id', '=', account_id)
    .where('environment', '=', environment)
    .where('quarter', '=', quarter)
    .orderBy('lookups', 'desc')
    .orderBy('domain')
    .limit(keptDomains)
    .offset(keptDomains)
    .execute();
  // Another instance may have been here.
  if (beyond.length === 0) return;
  await trx
    .deleteFrom('lookup_domains')
    .where('account_id', '=', account_id)
    .where('environment', '=', environment)
    .where('quarter', '=', quarter)
    .where(
      'domain',
      'in',
      beyond.map(({ domain }) => domain),
    )
    .execute();
}

const names = (columns: readonly string[]) => sql.join(columns.map((name) => sql.ref(name)));
const textColumns: ReadonlySet<string> = new Set(['account_id', 'environment', 'domain']);

/** A table called `listed`. Its rows go as one parameter: the statement is the same for any number of them. */
function listed(engine: Db['engine'], columns: readonly string[]): RawBuilder<unknown> {
  if (engine === 'sqlite') {
    const read = columns.map((_, index) => sql`value->>${sql.lit(index)}`);
    return sql`with listed (${names(columns)}) as (select ${sql.join(read)} from json_each(${''}))`;
  }
  const read = columns.map((name, index) => {
    return sql`(value->>${sql.lit(index)})::${sql.raw(textColumns.has(name) ? 'text' : 'bigint')}`;
  });
  return sql`with listed (${names(columns)}) as (select ${sql.join(read)}
    from json_array_elements(${''}::json) as element (value))`;
}
