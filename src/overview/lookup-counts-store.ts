import { sql, type Transaction } from 'kysely';
import type { Db } from '../db/db.ts';
import { ownedBy } from '../db/owned-by.ts';
import { removeBefore } from '../db/remove-before.ts';
import { rowsParameter } from '../db/rows.ts';
import type { Schema } from '../db/schema.ts';
import { withParameters } from '../db/with-parameters.ts';
import type { Owner } from '../http/endpoint.ts';
import type { HourOfLookups } from './lookup-counts.ts';

/** An hour as it is written, with its most requested domains. */
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
  readonly unknown: number;
  readonly peak: number;
}

export interface LookupCountsStore {
  /** Adds to the counters, all or none. */
  add(hours: readonly WrittenHour[]): Promise<void>;
  /** By bucket of `bucketMs`, for the hours since `fromMs`. */
  buckets(owner: Owner, fromMs: number, bucketMs: number): Promise<LookupBucket[]>;
  /** The most requested domains since the start of the quarter day that contains `fromMs`. */
  topDomains(owner: Owner, fromMs: number, limit: number): Promise<{ domain: string; lookups: number }[]>;
  prune(beforeMs: number): Promise<void>;
  remove(accountId: string): Promise<void>;
}

/** Top domains are counted per quarter day, and at most `keptDomains` are kept of each. */
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
    buckets(owner, fromMs, bucketMs) {
      const bucket = sql<number>`hour - hour % ${sql.lit(bucketMs)}`;
      return db.read
        .selectFrom('lookup_counts')
        .select(bucket.as('atMs'))
        .select(({ fn }) => [
          fn.sum<number>('lookups').as('lookups'),
          fn.sum<number>('disposable').as('disposable'),
          fn.sum<number>('relay').as('relay'),
          fn.sum<number>('no_mail').as('noMail'),
          fn.sum<number>('not_found_out').as('unknown'),
          fn.max('peak').as('peak'),
        ])
        .where(ownedBy(owner))
        .where('hour', '>=', fromMs)
        .groupBy(bucket)
        .execute();
    },
    topDomains: (owner, fromMs, limit) =>
      db.read
        .selectFrom('lookup_domains')
        .select('domain')
        .select(({ fn }) => fn.sum<number>('lookups').as('lookups'))
        .where(ownedBy(owner))
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
const quarter = ['account_id', 'environment', 'quarter'] as const;
type Quarter = Pick<Schema['lookup_domains'], (typeof quarter)[number]>;
type Statements = ReturnType<typeof compileStatements>;

/**
 * Statements for many owners at a time, compiled once: building them takes longer than running them. Rows are changed in one
 * order everywhere, so that two instances cannot deadlock.
 */
function compileStatements(db: Db) {
  const { read } = db;
  const hours = rowsParameter(db, {
    account_id: 'text',
    environment: 'text',
    hour: 'bigint',
    lookups: 'bigint',
    disposable: 'bigint',
    relay: 'bigint',
    no_mail: 'bigint',
    not_found_out: 'bigint',
    peak: 'bigint',
  });
  const domains = rowsParameter(db, {
    account_id: 'text',
    environment: 'text',
    quarter: 'bigint',
    domain: 'text',
    lookups: 'bigint',
  });
  const columns = names([...hour, ...counters, 'peak']);
  const sums = counters.map((name) => sql.raw(`${name} = lookup_counts.${name} + excluded.${name}`));
  return {
    hours,
    domains,
    addHours: sql`insert into lookup_counts (${columns})
      select ${columns} from ${hours.table()} hours where true order by 1, 2, 3
      on conflict (${names(hour)}) do update set ${sql.join(sums)},
        peak = case when excluded.peak > lookup_counts.peak then excluded.peak else lookup_counts.peak end`.compile(
      read,
    ),
    // Two hours of a quarter may have the same domain, and a statement may change a row only once.
    addDomains: sql`insert into lookup_domains (${names(quarter)}, domain, lookups)
      select ${names(quarter)}, domain, sum(lookups) from ${domains.table()} domains
      where true group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (${names(quarter)}, domain) do update set lookups = lookup_domains.lookups + excluded.lookups`.compile(
      read,
    ),
    fullQuarters: sql<Quarter>`
      select ${names(quarter)} from (select distinct ${names(quarter)} from ${domains.table()} domains) quarters
      join lookup_domains using (${names(quarter)})
      group by 1, 2, 3 having count(*) > ${sql.lit(keptDomains)}`.compile(read),
  };
}

async function addHours(
  trx: Transaction<Schema>,
  statements: Statements,
  hours: readonly WrittenHour[],
): Promise<void> {
  const rows = hours.map(({ owner, hourMs, lookups, disposable, relay, noMail, unknown, peak }) => {
    const { accountId: account_id, environment } = owner;
    const counts = { lookups, disposable, relay, no_mail: noMail, not_found_out: unknown, peak };
    return { account_id, environment, hour: hourMs, ...counts };
  });
  await trx.executeQuery(withParameters(statements.addHours, statements.hours.encode(rows)));
}

async function addDomains(
  trx: Transaction<Schema>,
  statements: Statements,
  hours: readonly WrittenHour[],
): Promise<void> {
  const rows = hours.flatMap(({ owner, hourMs, topDomains }) =>
    topDomains.map(([domain, lookups]) => {
      const { accountId: account_id, environment } = owner;
      return { account_id, environment, quarter: hourMs - (hourMs % quarterMs), domain, lookups };
    }),
  );
  if (rows.length === 0) return;
  const values = statements.domains.encode(rows);
  await trx.executeQuery(withParameters(statements.addDomains, values));
  const { rows: full } = await trx.executeQuery(withParameters(statements.fullQuarters, values));
  for (const each of full) await dropRarest(trx, each);
}

async function dropRarest(trx: Transaction<Schema>, { account_id, environment, quarter }: Quarter): Promise<void> {
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
  // Another instance may have removed them already.
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
