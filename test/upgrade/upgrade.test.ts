import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { sql } from 'kysely';
import { Client } from 'pg';
import { type DatabaseOptions, type Db, openDatabase } from '../../src/db/db.ts';
import { allMigrations } from '../../src/db/migrations/all.ts';
import { openSqlite } from '../../src/db/sqlite/sqlite.ts';
import { describeEngines } from '../engines.ts';
import { startApp } from '../start-app.ts';

/** The database that the last commit of version 0.1.0 left after some use; scripts/old-database.ts made it. */
const [heading = '', ...statements] = readFileSync(new URL('0.1.0.sql', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const key = heading.replace('-- key: ', '');
const insertions = statements.filter((statement) => statement.startsWith('insert into '));
const tableOf = (statement: string): string => statement.split('"')[1] ?? '';
/** Shortly after the old version was used. */
const nowMs = 1_794_750_000_000;

/** The statements as PostgreSQL takes them: version 0.1.0 created these tables there. */
const postgresStatements = statements
  .filter((statement) => !statement.startsWith('CREATE TRIGGER ') && tableOf(statement) !== 'sqlite_sequence')
  .map((statement) =>
    statement
      .replace('"id" integer primary key autoincrement', '"id" integer generated always as identity primary key')
      .replace(' without rowid', '')
      .replace('"position" bigint default 0', '"position" bigint default (pg_current_xact_id()::text::bigint)')
      .replace(/^(insert into "\w+") values/, '$1 overriding system value values'),
  );

/** Creates the old database where the service looks for it. */
async function putOldDatabase({ url, dataDir }: DatabaseOptions): Promise<void> {
  if (url === null) {
    // The file of the first start, with the service's header and without tables.
    await (await openSqlite(dataDir, [])).close();
    using database = new DatabaseSync(join(dataDir, 'signalpost.db'));
    database.exec(`begin; ${statements.join('\n')} commit`);
    return;
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const statement of postgresStatements) await client.query(statement);
  await client.query("select setval(pg_get_serial_sequence('blocklists', 'id'), 2)");
  await client.end();
}

/** Tables, columns, indexes and triggers, in one order. */
async function schemaOf(db: Db): Promise<unknown[]> {
  const query =
    db.engine === 'sqlite'
      ? sql`select m.name, m.tbl_name, c.name as col, c.type, c."notnull", c.dflt_value, c.pk
          from sqlite_master m left join pragma_table_info(m.name) c where m.name not like 'sqlite_%'
          union all select m.name, i.name, i.seqno, null, null, null, null
          from sqlite_master m join pragma_index_info(m.name) i where m.type = 'index'
          order by 1, 2, 3`
      : sql`select table_name || '.' || column_name as name, data_type, is_nullable, column_default, collation_name
          from information_schema.columns where table_schema = current_schema()
          union all select indexdef, '', '', '', '' from pg_indexes where schemaname = current_schema()
          union all select conrelid::regclass || pg_get_constraintdef(oid), '', '', '', '' from pg_constraint
          where connamespace = current_schema()::regnamespace order by 1`;
  return (await query.execute(db.read)).rows;
}

const appliedTo = async (db: Db): Promise<string[]> =>
  (await db.read.selectFrom('migrations').select('id').orderBy('id').execute()).map(({ id }) => id);

interface Logged {
  readonly input: { readonly email: string };
  readonly signals: {
    readonly ip: {
      readonly address: string;
      readonly abuse: { readonly detected: boolean | null };
      readonly anonymity: { readonly vpn: { readonly detected: boolean | null } };
      readonly geo: { readonly country_code: string | null };
      readonly network: { readonly asn: number | null };
    } | null;
  };
}

await describeEngines('a database of version 0.1.0', (fresh, empty) => {
  it('a database of version 0.1.0 is upgraded with every row in place', async () => {
    const options = await empty();
    await putOldDatabase(options);
    const db = await openDatabase(options);
    assert.deepEqual(
      await appliedTo(db),
      allMigrations.map(({ id }) => id),
    );
    const sums = await db.read.selectFrom('environment_counts').select(['allow', 'block', 'challenge']).execute();
    assert.deepEqual(sums, [{ allow: 1, block: 1, challenge: 0 }], 'totals of earlier counts are missing');
    const counted = Map.groupBy(insertions, tableOf);
    counted.delete('migrations');
    counted.delete('sqlite_sequence');
    const tables = statements.filter((statement) => statement.startsWith('CREATE TABLE ')).map(tableOf);
    assert.deepEqual([...counted.keys()].sort(), tables.filter((table) => table !== 'migrations').sort());
    for (const [table, before] of counted) {
      const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(db.read);
      // Removed domains were in clear text.
      assert.equal(rows.length, table === 'blocklist_removals' ? 0 : before.length, table);
    }
    await db.close();
  });

  it('a database of version 0.1.0 has the schema of a new one after the upgrade', async () => {
    const old = await empty();
    await putOldDatabase(old);
    const [upgraded, created] = [await openDatabase(old), await openDatabase(await fresh())];
    assert.deepEqual(await schemaOf(upgraded), await schemaOf(created));
    await Promise.all([upgraded.close(), created.close()]);
  });

  it('a database of version 0.1.0 serves its data: keys, credits, blocklist, gates, log and statistics', async () => {
    const database = await empty();
    await putOldDatabase(database);
    const service = await startApp({}, { database, existing: key, nowMs });
    const get = async <T>(path: string) => (await service.request<T>('GET', path, { key })).json;
    const status = await get<{ usage: { current: number } }>('/status');
    assert.equal(status.usage.current, 3);
    const list = await get<{ meta: { total: number } }>('/blocklist?page=3');
    assert.equal(list.meta.total, 299);
    const looked = await get<{ blocklisted: boolean }>('/domain/blocked-8.example');
    assert.equal(looked.blocklisted, true);
    const added = await service.request('POST', '/blocklist', { key, body: { domain: 'blocked-7.example' } });
    assert.equal(added.status, 201);

    const gates = await get<{ data: { id: string; name: string }[] }>('/v1/gates');
    assert.deepEqual(
      gates.data.map(({ name }) => name),
      ['Sign-up'],
    );
    const path = `/v1/gates/${gates.data[0]?.id}`;
    const body = { email: 'joe@mailinator.com' };
    const decided = await service.request<{ decision: { action: string } }>('POST', `${path}/decisions`, { key, body });
    assert.equal(decided.json.decision.action, 'block');
    const log = await get<{ data: Logged[] }>(`${path}/decisions`);
    assert.deepEqual(
      log.data.map(({ input }) => input.email),
      ['joe@mailinator.com', 'joe@mailinator.com', 'jane@example.com', 'ann@example.com'],
    );
    const ip = log.data.at(-1)?.signals.ip;
    assert.deepEqual(
      [ip?.address, ip?.geo.country_code, ip?.anonymity.vpn.detected, ip?.network.asn, ip?.abuse.detected],
      ['203.0.113.7', 'DE', true, 64_512, null],
    );
    await service.close();
  });
});
