import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  CompiledQuery,
  type Dialect,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { entriesByDomain } from '../src/blocklist/entries-by-domain-store.ts';
import { type Db, openDatabase } from '../src/db/db.ts';
import type { Schema } from '../src/db/schema.ts';
import { createMailHostsStore } from '../src/learning/mail-hosts-store.ts';
import { sqliteDatabase } from './engines.ts';

// SQLite plans without statistics, so that the plans are the same for tables of any size.
describe('query plans of SQLite', () => {
  let db: Db;
  before(async () => {
    db = await openDatabase(sqliteDatabase());
  });
  after(() => db.close());

  /** The plans of the statements that `run` executes, without executing them. */
  const plansOf = async (run: (recording: Kysely<Schema>) => Promise<unknown>): Promise<string[]> => {
    const queries: CompiledQuery[] = [];
    const dialect: Dialect = {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (recording) => new SqliteIntrospector(recording),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    };
    await run(new Kysely<Schema>({ dialect, log: ({ query }) => void queries.push(query) }));
    return Promise.all(
      queries.map(async ({ sql, parameters }) => {
        const explain = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
        const { rows } = await db.read.executeQuery<{ detail: string }>(explain);
        return rows.map(({ detail }) => detail).join('; ');
      }),
    );
  };
  const inTransaction = (run: (trx: Parameters<ReturnType<typeof entriesByDomain>['remove']>[0]) => Promise<unknown>) =>
    plansOf((recording) => recording.transaction().execute(run));

  const byDomain = entriesByDomain({ engine: 'sqlite' });
  const domains = Array.from({ length: 100 }, (_, index) => `d${index}.example`);
  const looksUpDomains = (plans: readonly string[]): void => {
    assert.equal(plans.length, 1);
    assert.match(
      plans[0] ?? '',
      /SEARCH \w+ USING (COVERING )?INDEX blocklist_entries_domain \(list_id=\? AND domain=\?\)/,
    );
  };

  it('a hundred domains are found on a blocklist without reading the whole list', async () => {
    looksUpDomains(await plansOf((recording) => byDomain.listed(recording, 1, domains)));
  });

  it('the reasons of a hundred domains are changed without reading the whole blocklist', async () => {
    const changes = domains.map((domain) => ({ domain, reason: 'spam' }));
    looksUpDomains(await inTransaction((trx) => byDomain.setReasons(trx, 1, changes)));
  });

  it('a hundred domains are removed without reading the whole blocklist', async () => {
    looksUpDomains(await inTransaction((trx) => byDomain.remove(trx, 1, domains)));
  });

  it('a page of mail hosts is read without those before it', async () => {
    const page = { host: 'mx.example', domain: 'd.example' };
    const plans = await plansOf((recording) => createMailHostsStore({ ...db, read: recording }).page(page, 1_000));
    assert.equal(plans.length, 1);
    assert.match(plans[0] ?? '', /^SEARCH mail_host_domains .*\(\(host,domain\)>\(\?,\?\)\)$/);
  });
});
