import type { Db } from '../db/db.ts';
import { removeBefore } from '../db/remove-before.ts';

/** A domain that points at a mail server. */
export interface HostDomain {
  readonly host: string;
  readonly domain: string;
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
  learnt(most: number): Promise<LearntHost[]>;
  replaceLearnt(hosts: readonly LearntHost[]): Promise<void>;
  /** Forgets what was seen in between. */
  retract(sinceMs: number, untilMs: number): Promise<void>;
  /** Forgets the pairs seen longest ago beyond a limit. */
  prune(most: number): Promise<void>;
}

/** Rows in one statement: three parameters each, well below the limits of both engines. */
const rowsAtOnce = 500;

export function createMailHostsStore(db: Db): MailHostsStore {
  return {
    save: (pairs, seenAtMs) =>
      db.background.transaction(async (trx) => {
        for (let start = 0; start < pairs.length; start += rowsAtOnce) {
          const rows = pairs
            .slice(start, start + rowsAtOnce)
            .map(({ host, domain }) => ({ host, domain, seen_at: seenAtMs }));
          await trx
            .insertInto('mail_host_domains')
            .values(rows)
            .onConflict((conflict) =>
              conflict.columns(['host', 'domain']).doUpdateSet((row) => ({ seen_at: row.ref('excluded.seen_at') })),
            )
            .execute();
        }
      }),
    page: (after, most) =>
      db.read
        .selectFrom('mail_host_domains')
        .select(['host', 'domain'])
        .where((row) =>
          row.or([
            row('host', '>', after.host),
            row.and([row('host', '=', after.host), row('domain', '>', after.domain)]),
          ]),
        )
        .orderBy('host')
        .orderBy('domain')
        .limit(most)
        .execute(),
    learnt: (most) =>
      db.read.selectFrom('learnt_mail_hosts').selectAll().orderBy('listed', 'desc').limit(most).execute(),
    replaceLearnt: (hosts) =>
      db.background.transaction(async (trx) => {
        await trx.deleteFrom('learnt_mail_hosts').execute();
        for (let start = 0; start < hosts.length; start += rowsAtOnce) {
          await trx
            .insertInto('learnt_mail_hosts')
            .values(hosts.slice(start, start + rowsAtOnce))
            .onConflict((conflict) => conflict.column('host').doNothing())
            .execute();
        }
      }),
    async retract(sinceMs, untilMs) {
      await db.write
        .deleteFrom('mail_host_domains')
        .where('seen_at', '>=', sinceMs)
        .where('seen_at', '<=', untilMs)
        .execute();
    },
    async prune(most) {
      const newestToGo = await db.read
        .selectFrom('mail_host_domains')
        .select('seen_at')
        .orderBy('seen_at', 'desc')
        .offset(most)
        .limit(1)
        .executeTakeFirst();
      if (newestToGo === undefined) return;
      await removeBefore(db, 'mail_host_domains', 'seen_at', newestToGo.seen_at + 1);
    },
  };
}
