import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { temporaryDirectory } from '../../../test/engines.ts';
import { type Db, openDatabase } from '../db.ts';
import { createLogKeeper, logBytesKept } from './log-keeper.ts';

const synchronous = async (through: Db['read']): Promise<unknown> =>
  (await sql<{ synchronous: number }>`pragma synchronous`.execute(through)).rows[0]?.synchronous;
const [normal, full] = [1, 2];

async function opened(): Promise<{ db: Db; logBytes: () => number }> {
  const dataDir = temporaryDirectory();
  const db = await openDatabase({ url: null, dataDir });
  return { db, logBytes: () => statSync(join(dataDir, 'signalpost.db-wal')).size };
}

/** Writes until the log is about twice as long as it stays. */
async function writeMuch(db: Db): Promise<void> {
  const value = 'v'.repeat(100_000);
  for (let count = 0; count < (2 * logBytesKept) / value.length; count += 1) {
    await db.background.write
      .insertInto('settings')
      .values({ name: `name-${count}`, value })
      .execute();
  }
}

describe('what SQLite writes in the background', () => {
  it('what SQLite writes in the background does not wait for the disk, and every other commit does', async () => {
    const { db } = await opened();
    assert.equal(await synchronous(db.background.write), normal);
    assert.equal(await db.background.transaction(synchronous), normal);
    assert.equal(await synchronous(db.write), full);
    await assert.rejects(
      db.background.transaction(async () => {
        throw new Error('given up');
      }),
      /given up/,
    );
    assert.equal(await db.transaction(synchronous), full);
    await db.close();
  });

  it('what SQLite writes in the background is copied back into the file once its log is long, and the log is short again with the next write', async () => {
    const { db, logBytes } = await opened();
    await writeMuch(db);
    const longBytes = logBytes();
    assert.ok(longBytes > 2 * logBytesKept, 'SQLite copies it back itself before we do');
    await db.settle();
    await db.write.insertInto('settings').values({ name: 'last', value: '' }).execute();
    assert.ok(logBytes() <= logBytesKept, `${logBytes()} of ${longBytes} bytes are left`);
    assert.equal(
      (await db.read.selectFrom('settings').select('name').where('name', 'like', 'name-%').execute()).length,
      84,
    );
    await db.close();
  });

  it('what SQLite writes in the background is closed to the end by a process that has nothing else left to do', async () => {
    const dataDir = temporaryDirectory();
    const script = `
      const { openDatabase } = await import(${JSON.stringify(new URL('../db.ts', import.meta.url).href)});
      const db = await openDatabase({ url: null, dataDir: ${JSON.stringify(dataDir)} });
      const row = { name: 'long', value: 'v'.repeat(${2 * logBytesKept}) };
      await db.background.write.insertInto('settings').values(row).execute();
      await db.settle();
      await db.close();`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
    assert.ok(!existsSync(join(dataDir, 'signalpost.db-wal')), 'its log is left');
  });

  it('what SQLite writes in the background is copied by another thread after one that could not, and closing does not wait for it', async () => {
    const folder = join(temporaryDirectory(), 'later');
    const log = createLogKeeper(join(folder, 'signalpost.db'));
    await assert.rejects(log.copyBack(), /unable to open database file/);
    await assert.rejects(log.copyBack(), /unable to open database file/);
    mkdirSync(folder);
    await log.copyBack();
    await log.close();
    const unable = createLogKeeper(join(temporaryDirectory(), 'never', 'signalpost.db'));
    await assert.rejects(unable.copyBack(), /unable to open database file/);
    await unable.close();
  });

  it('what SQLite writes in the background can be settled before there is a log, and again when nothing was written', async () => {
    const { db } = await opened();
    await db.settle();
    await db.settle();
    await db.close();
  });
});
