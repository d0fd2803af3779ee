import type { Transaction } from 'kysely';
import { recordChange } from '../db/changes.ts';
import type { Db } from '../db/db.ts';
import { removeBefore } from '../db/remove-before.ts';
import type { Schema } from '../db/schema.ts';
import { chunksOf } from '../platform/chunks-of.ts';

/** The topic that announces newly counted mail servers. */
export const learntMailHostsTopic = 'mail-servers';

/** A domain that points at a mail server; `host` is the registrable domain of the server's name. */
export interface HostDomain {
  readonly host: string;
  readonly domain: string;
}

/** A domain that points at a mail server and was looked up. */
export interface LookedUpDomain {
  readonly domain: string;
  /** Null when it is unknown. */
  readonly registeredAtMs: number | null;
}

/** A mail server that disposable services use: how many listed domains and how many others point there. */
export interface LearntHost {
  readonly host: string;
  readonly listed: number;
  readonly others: number;
}

/** Mail servers and the domains that point there, in the database. */
export interface MailHostsStore {
  save(pairs: readonly HostDomain[], seenAtMs: number): Promise<void>;
  /** The next pairs in the order of host and domain, after the given one. */
  page(after: HostDomain, most: number): Promise<HostDomain[]>;
  /** The domains of a host of which a lookup stored facts; a sample of a host with very many. */
  lookedUp(host: string): Promise<LookedUpDomain[]>;
  learnt(most: number): Promise<LearntHost[]>;
  replaceLearnt(hosts: readonly LearntHost[], nowMs: number): Promise<void>;
  /** When a pair was last seen; null without pairs. */
  lastSeenMs(): Promise<number | null>;
  /** Removes the pairs seen longest ago beyond a limit. */
  prune(most: number): Promise<void>;
}

/** Three parameters per row are well below the limits of both engines. */
const rowsPerStatement = 500;
const maxLookedUp = 10_000;

export function createMailHostsStore(db: Db): MailHostsStore {
  return {
    save: (pairs, seenAtMs) => db.background.transaction((trx) => savePairs(trx, pairs, seenAtMs)),
    page: (after, most) =>
      db.read
        .selectFrom('mail_host_domains')
        .select(['host', 'domain'])
        // As one comparison, because with `or` SQLite reads every page from the start.
        .where(({ eb, refTuple, tuple }) => eb(refTuple('host', 'domain'), '>', tuple(after.host, after.domain)))
        .orderBy('host')
        .orderBy('domain')
        .limit(most)
        .execute(),
    lookedUp: (host) => lookedUpDomains(db, host),
    learnt: (most) =>
      db.read.selectFrom('learnt_mail_hosts').selectAll().orderBy('listed', 'desc').limit(most).execute(),
    replaceLearnt: (hosts, nowMs) => db.background.transaction((trx) => replaceLearnt(trx, hosts, nowMs)),
    async lastSeenMs() {
      const pairs = db.read.selectFrom('mail_host_domains').select('seen_at').orderBy('seen_at', 'desc').limit(1);
      return (await pairs.executeTakeFirst())?.seen_at ?? null;
    },
    async prune(most) {
      const newestRemoved = await db.read
        .selectFrom('mail_host_domains')
        .select('seen_at')
        .orderBy('seen_at', 'desc')
        .offset(most)
        .limit(1)
        .executeTakeFirst();
      if (newestRemoved === undefined) return;
      await removeBefore(db, 'mail_host_domains', 'seen_at', newestRemoved.seen_at + 1);
    },
  };
}

async function savePairs(trx: Transaction<Schema>, pairs: readonly HostDomain[], seenAtMs: number): Promise<void> {
  for (const some of chunksOf(pairs, rowsPerStatement)) {
    const rows = some.map(({ host, domain }) => ({ host, domain, seen_at: seenAtMs }));
    await trx
      .insertInto('mail_host_domains')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['host', 'domain']).doUpdateSet((row) => ({ seen_at: row.ref('excluded.seen_at') })),
      )
      .execute();
  }
}

async function lookedUpDomains(db: Db, host: string): Promise<LookedUpDomain[]> {
  const rows = await db.read
    .selectFrom('mail_host_domains as pair')
    // `lists learn` stores no facts.
    .innerJoin('facts as mx', (join) => join.onRef('mx.domain', '=', 'pair.domain').on('mx.kind', '=', 'mx'))
    .leftJoin('facts as registration', (join) =>
      join.onRef('registration.domain', '=', 'pair.domain').on('registration.kind', '=', 'registration'),
    )
    .select(['pair.domain', 'registration.value as registered'])
    .where('pair.host', '=', host)
    .limit(maxLookedUp)
    .execute();
  return rows.map(({ domain, registered }) => ({
    domain,
    registeredAtMs: registered === null ? null : JSON.parse(registered),
  }));
}

async function replaceLearnt(trx: Transaction<Schema>, hosts: readonly LearntHost[], nowMs: number): Promise<void> {
  await recordChange(trx, learntMailHostsTopic, '', nowMs);
  await trx.deleteFrom('learnt_mail_hosts').execute();
  for (const some of chunksOf(hosts, rowsPerStatement)) {
    await trx
      .insertInto('learnt_mail_hosts')
      .values(some)
      .onConflict((conflict) => conflict.column('host').doNothing())
      .execute();
  }
}
