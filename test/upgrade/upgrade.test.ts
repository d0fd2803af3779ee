import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it, test } from 'node:test';
import { sql } from 'kysely';
import { Client } from 'pg';
import { type DatabaseOptions, openDatabase } from '../../src/db/db.ts';
import { allMigrations } from '../../src/db/migrations/all.ts';
import { openPostgres } from '../../src/db/postgres.ts';
import { openSqlite } from '../../src/db/sqlite/sqlite.ts';
import { describeEngines, temporaryDirectory } from '../engines.ts';
import { startApp } from '../start-app.ts';

/** What the last commit of version 0.1.0 left behind after some use; scripts/old-database.ts made it. */
const [heading = '', ...statements] = readFileSync(new URL('0.1.0.sql', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const key = heading.replace('-- key: ', '');
const insertions = statements.filter((statement) => statement.startsWith('insert into '));
const tableOf = (statement: string): string => statement.split('"')[1] ?? '';
/** Shortly after the old version was used. */
const nowMs = 1_794_750_000_000;

/** Tables that have another name since. */
const renamed: Readonly<Record<string, string>> = { decisions: 'old_decisions' };

const released = allMigrations.slice(0, 5);

/** Puts the old database where the service looks for it. */
async function putOldDatabase({ url, dataDir }: DatabaseOptions): Promise<void> {
  if (url === null) {
    // The file of the first start, whose header marks it as ours, without any table.
    await (await openSqlite(dataDir, [])).close();
    using database = new DatabaseSync(join(dataDir, 'signalpost.db'));
    database.exec(`begin; ${statements.join('\n')} commit`);
    return;
  }
  await (await openPostgres(url, released)).close();
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const statement of insertions.filter((one) => !['migrations', 'sqlite_sequence'].includes(tableOf(one)))) {
    await client.query(statement.replace('" values', '" overriding system value values'));
  }
  await client.query("select setval(pg_get_serial_sequence('blocklists', 'id'), 2)");
  await client.end();
}

await describeEngines('a database of version 0.1.0', (_, empty) => {
  it('a database of version 0.1.0 is brought up to date with every row in place', async () => {
    const options = await empty();
    await putOldDatabase(options);
    const db = await openDatabase(options);
    const { rows: applied } = await sql<{ id: string }>`select id from migrations order by id`.execute(db.read);
    assert.deepEqual(
      applied.map(({ id }) => id),
      allMigrations.map(({ id }) => id),
    );
    const sums = await db.read.selectFrom('environment_counts').select(['allow', 'block', 'challenge']).execute();
    assert.deepEqual(sums, [{ allow: 1, block: 1, challenge: 0 }], 'what the gates had counted is added up');
    const counted = Map.groupBy(insertions, tableOf);
    counted.delete('migrations');
    counted.delete('sqlite_sequence');
    const tables = statements.filter((statement) => statement.startsWith('CREATE TABLE ')).map(tableOf);
    assert.deepEqual([...counted.keys()].sort(), tables.filter((table) => table !== 'migrations').sort());
    for (const [table, before] of counted) {
      const { rows } = await sql<object>`select * from ${sql.table(renamed[table] ?? table)}`.execute(db.read);
      assert.equal(rows.length, before.length, table);
    }
    await db.close();
  });

  it('a database of version 0.1.0 serves what was in it: keys, credits, blocklist, gates, log and statistics', async () => {
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
    const log = await get<{ data: { input: { email: string } }[] }>(`${path}/decisions`);
    assert.deepEqual(
      log.data.map(({ input }) => input.email),
      ['joe@mailinator.com', 'joe@mailinator.com', 'jane@example.com'],
    );
    await service.close();
  });
});

test('the migrations of version 0.1.0 still make its tables, to the letter', async () => {
  const dataDir = temporaryDirectory();
  await (await openSqlite(dataDir, released)).close();
  using database = new DatabaseSync(join(dataDir, 'signalpost.db'));
  const made = database
    .prepare("select sql from sqlite_master where sql is not null and name not like 'sqlite_%'")
    .all()
    .map((row) => `${String(row.sql).replaceAll(/\s*\n\s*/g, ' ')};`);
  assert.deepEqual(made.sort(), statements.filter((statement) => statement.startsWith('CREATE ')).sort());
});
