import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { sqliteDatabase, temporaryDirectory } from '../../../test/engines.ts';
import { openDatabase } from '../db.ts';
import { createMutex } from '../mutex.ts';
import type { Schema } from '../schema.ts';
import { sqliteDialect } from './sqlite-driver.ts';

const fileIn = (dataDir: string): string => join(dataDir, 'signalpost.db');

/** A database with a few hundred rows, closed in good order. */
async function filled(): Promise<string> {
  const dataDir = temporaryDirectory();
  const db = await openDatabase({ url: null, dataDir });
  await db.transaction(async (trx) => {
    for (let i = 0; i < 300; i += 1) {
      await trx
        .insertInto('settings')
        .values({ name: `name-${i}`, value: 'v'.repeat(200) })
        .execute();
    }
  });
  await db.close();
  return dataDir;
}

const countSettings = async (dataDir: string): Promise<number> => {
  const db = await openDatabase({ url: null, dataDir });
  const rows = await db.read.selectFrom('settings').select('name').execute();
  await db.close();
  return rows.length;
};

async function assertRefused(dataDir: string, reason: RegExp): Promise<void> {
  const before = readFileSync(fileIn(dataDir));
  await assert.rejects(openDatabase({ url: null, dataDir }), (error: Error) => {
    assert.match(error.message, reason);
    assert.ok(error.message.includes(fileIn(dataDir)));
    return true;
  });
  assert.deepEqual(readFileSync(fileIn(dataDir)), before);
}

describe('a SQLite file that cannot be trusted is refused and left untouched', () => {
  for (const keep of [0, 1, 99, 512, 4096, 20_000, -1]) {
    test(`a SQLite file that cannot be trusted is refused and left untouched: truncated to ${keep === -1 ? 'all but one byte' : `${keep} bytes`}`, async () => {
      const dataDir = await filled();
      const size = readFileSync(fileIn(dataDir)).length;
      truncateSync(fileIn(dataDir), keep === -1 ? size - 1 : keep);
      await assertRefused(dataDir, keep < 100 && keep !== -1 ? /empty|not a SQLite database|truncated/ : /truncated/);
      assert.deepEqual(readdirSync(dataDir), ['signalpost.db']);
    });
  }

  test('a SQLite file that cannot be trusted is refused and left untouched: with overwritten pages', async () => {
    const dataDir = await filled();
    writeSync(openSync(fileIn(dataDir), 'r+'), Buffer.alloc(4096, 0xaa), 0, 4096, 8 * 4096);
    await assertRefused(dataDir, /damaged/);
  });

  test('a SQLite file that cannot be trusted is refused and left untouched: with the contents of some other file', async () => {
    const dataDir = temporaryDirectory();
    writeFileSync(fileIn(dataDir), 'once upon a time '.repeat(1000));
    await assertRefused(dataDir, /not a SQLite database/);
  });

  test('a SQLite file that cannot be trusted is refused and left untouched: of another program', async () => {
    const dataDir = temporaryDirectory();
    const other = new DatabaseSync(fileIn(dataDir));
    other.exec('create table notes (text text)');
    other.close();
    await assertRefused(dataDir, /belongs to another program/);
  });

  test('a SQLite file that cannot be trusted is refused and left untouched: truncated after a crash, with its write-ahead log beside it', async () => {
    const dataDir = await filled();
    const crashed = await crash(dataDir);
    const log = readFileSync(`${fileIn(crashed)}-wal`);
    truncateSync(fileIn(crashed), 8192);
    await assertRefused(crashed, /truncated|damaged/);
    assert.deepEqual(readFileSync(`${fileIn(crashed)}-wal`), log);
  });
});

describe('the data directory', () => {
  test('the data directory is made when it is missing', async () => {
    const dataDir = join(temporaryDirectory(), 'a', 'b');
    assert.equal(await countSettings(dataDir), 0);
    assert.ok(existsSync(fileIn(dataDir)));
  });

  test('the data directory is refused, and named, when it cannot be created', async () => {
    const file = join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    const dataDir = join(file, 'var');
    await assert.rejects(openDatabase({ url: null, dataDir }), (error: Error) =>
      error.message.startsWith(`cannot write to DATA_DIR ${dataDir}: `),
    );
  });
});

/** The state a killed process leaves: the file, and what was committed since in the log only. */
async function crash(dataDir: string): Promise<string> {
  const db = await openDatabase({ url: null, dataDir });
  await db.transaction((trx) => trx.insertInto('settings').values({ name: 'last words', value: 'v' }).execute());
  const copy = temporaryDirectory();
  copyFileSync(fileIn(dataDir), fileIn(copy));
  copyFileSync(`${fileIn(dataDir)}-wal`, `${fileIn(copy)}-wal`);
  await db.close();
  return copy;
}

test('what a killed process had committed is recovered from its log', async () => {
  assert.equal(await countSettings(await crash(await filled())), 301);
});

test('what was committed survives kill -9 in the middle of writing, in the background too', async () => {
  const dataDir = temporaryDirectory();
  const script = `
    const { openDatabase } = await import(${JSON.stringify(new URL('../db.ts', import.meta.url).href)});
    const db = await openDatabase({ url: null, dataDir: ${JSON.stringify(dataDir)} });
    for (let i = 0; ; i += 1) {
      await (i % 2 === 0 ? db : db.background).transaction(async (trx) => {
        for (const half of ['a', 'b']) await trx.insertInto('settings').values({ name: i + half, value: 'v' }).execute();
      });
      process.stdout.write(i + '\\n');
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const chunk of child.stdout) {
    said += chunk;
    if (said.split('\n').length > 20) child.kill('SIGKILL');
  }
  const acknowledged = said.split('\n').slice(0, -1).length;
  assert.ok(acknowledged >= 20, `${acknowledged} were acknowledged`);
  const kept = await countSettings(dataDir);
  assert.ok(kept >= 2 * acknowledged, `${kept} rows for ${acknowledged} acknowledged pairs`);
  assert.equal(kept % 2, 0);
});

test('a backup taken during writes is complete, opens, and never replaces a file', async () => {
  const dataDir = await filled();
  const db = await openDatabase({ url: null, dataDir });
  const target = join(temporaryDirectory(), 'copy');
  mkdirSync(target);
  const writes = Array.from({ length: 20 }, (_, i) =>
    db.transaction(async (trx) => {
      for (const half of ['a', 'b'])
        await trx
          .insertInto('settings')
          .values({ name: `${i}${half}`, value: 'v' })
          .execute();
    }),
  );
  await db.backup(fileIn(target));
  await Promise.all(writes);
  await assert.rejects(db.backup(fileIn(target)), /the file exists/);
  await assert.rejects(db.backup(join(target, 'none', 'file')), /cannot back up to/);
  await db.close();
  assert.deepEqual(readdirSync(target), ['signalpost.db']);
  const copied = await countSettings(target);
  assert.ok(copied >= 300 && copied % 2 === 0, `${copied} rows`);
});

test('a backup removes the drafts that interrupted backups left beside it, and no others', async () => {
  const db = await openDatabase(sqliteDatabase());
  const folder = temporaryDirectory();
  const id = '5c1f0c1e-7d0e-4a53-9d5f-0a3b1f6c2d4e.partial';
  const drafts = [`copy.db.${id}`, `copy.db.${id}-journal`, `signalpost-2026-01-02T03-04-05.678Z.db.${id}`];
  for (const name of [...drafts, `other.db.${id}`]) writeFileSync(join(folder, name), 'left over');
  await db.backup(join(folder, 'copy.db'));
  await db.close();
  assert.deepEqual(readdirSync(folder).sort(), ['copy.db', `other.db.${id}`]);
});

test('a write waits for another process that holds the lock, and gives up as unavailable', async () => {
  const dataDir = await filled();
  const db = await openDatabase({ url: null, dataDir });
  const other = new DatabaseSync(fileIn(dataDir));
  other.exec('begin immediate');
  const released = db.write.deleteFrom('settings').where('name', '=', 'name-1').executeTakeFirst();
  let isDone = false;
  released.then(() => {
    isDone = true;
  });
  // The write tries immediately, and waits between its attempts.
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isDone, false);
  other.exec('rollback');
  assert.equal((await released).numDeletedRows, 1n);
  other.exec('begin immediate');
  await assert.rejects(
    db.transaction((trx) => trx.deleteFrom('settings').execute()),
    { code: 'service_unavailable' },
  );
  other.exec('rollback');
  other.close();
  assert.equal((await db.write.deleteFrom('settings').executeTakeFirst()).numDeletedRows, 299n);
  await db.close();
});

test('a transaction fails immediately when another process changed the rows that it read', {
  timeout: 20_000,
}, async () => {
  const dataDir = await filled();
  const database = new DatabaseSync(fileIn(dataDir), { timeout: 0 });
  // Waiting cannot help: only a new transaction sees the change. So it must not wait this whole minute.
  const options = { database, mutex: createMutex(), begin: 'begin', busyTimeoutMs: 60_000 } as const;
  const db = new Kysely<Schema>({ dialect: sqliteDialect(options) });
  const other = await openDatabase({ url: null, dataDir });
  const torn = db.transaction().execute(async (trx) => {
    await trx.selectFrom('settings').select('name').execute();
    await other.write.deleteFrom('settings').where('name', '=', 'name-1').execute();
    await trx.deleteFrom('settings').where('name', '=', 'name-2').execute();
  });
  await assert.rejects(torn, { code: 'service_unavailable' });
  await db.destroy();
  await other.close();
});

test('using the database inside its own transaction is refused, not waited for', async () => {
  const db = await openDatabase(sqliteDatabase());
  const inside = db.transaction(() => db.write.deleteFrom('settings').execute());
  await assert.rejects(inside, /use the transaction/);
  await db.write.deleteFrom('settings').execute();
  await db.close();
});

test('a disk that is full is unavailable, loses nothing, and is written to again once there is room', async () => {
  const dataDir = await filled();
  const db = await openDatabase({ url: null, dataDir });
  await sql`pragma max_page_count = 1`.execute(db.write);
  const value = 'v'.repeat(200_000);
  const write = () => db.transaction((trx) => trx.insertInto('settings').values({ name: 'large', value }).execute());
  await assert.rejects(write(), { code: 'service_unavailable' });
  assert.equal((await db.read.selectFrom('settings').select('name').execute()).length, 300);
  await sql`pragma max_page_count = 1000000`.execute(db.write);
  await write();
  assert.equal((await db.read.selectFrom('settings').select('name').execute()).length, 301);
  await db.close();
});

test('other work runs during a long transaction, which stays atomic', async () => {
  const db = await openDatabase(sqliteDatabase());
  let turns = 0;
  let isWriting = true;
  const count = (): void => {
    turns += 1;
    if (isWriting) setImmediate(count);
  };
  setImmediate(count);
  const writing = db.transaction(async (trx) => {
    const busyUntilMs = performance.now() + 100;
    for (let row = 0; performance.now() < busyUntilMs; row += 1) {
      await trx
        .insertInto('settings')
        .values({ name: `name-${row}`, value: 'v' })
        .execute();
    }
    throw new Error('not after all');
  });
  await assert.rejects(writing, /not after all/);
  isWriting = false;
  assert.ok(turns > 0);
  assert.deepEqual(await db.read.selectFrom('settings').select('name').where('name', 'like', 'name-%').execute(), []);
  await db.close();
});
