import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { temporaryDirectory } from '../../../test/engines.ts';
import { type Db, openDatabase } from '../db.ts';
import { createWalCheckpoints, walBytesKept } from './wal-checkpoints.ts';

const synchronous = async (through: Db['read']): Promise<unknown> =>
  (await sql<{ synchronous: number }>`pragma synchronous`.execute(through)).rows[0]?.synchronous;
const [normal, full] = [1, 2];

async function opened(): Promise<{ db: Db; logBytes: () => number }> {
  const dataDir = temporaryDirectory();
  const db = await openDatabase({ url: null, dataDir });
  return { db, logBytes: () => statSync(join(dataDir, 'signalpost.db-wal')).size };
}

/** Writes until the log is about twice as long as it may stay. */
async function writeMuch(db: Db): Promise<void> {
  const value = 'v'.repeat(100_000);
  for (let count = 0; count < (2 * walBytesKept) / value.length; count += 1) {
    await db.background.write
      .insertInto('settings')
      .values({ name: `name-${count}`, value })
      .execute();
  }
}

describe('background writes of SQLite', () => {
  it('a background write of SQLite does not wait for the disk, and every other commit does', async () => {
    const { db } = await opened();
    assert.equal(await synchronous(db.background.write), normal);
    assert.equal(await db.background.transaction(synchronous), normal);
    assert.equal(await synchronous(db.write), full);
    await assert.rejects(
      db.background.transaction(async () => {
        throw new Error('failed');
      }),
      /failed/,
    );
    assert.equal(await db.transaction(synchronous), full);
    await db.close();
  });

  it('a long write-ahead log is checkpointed by fsync, and is short again with the next write', async () => {
    const { db, logBytes } = await opened();
    await writeMuch(db);
    const longBytes = logBytes();
    assert.ok(longBytes > 2 * walBytesKept, 'SQLite checkpointed it before fsync did');
    await db.fsync();
    await db.write.insertInto('settings').values({ name: 'last', value: '' }).execute();
    assert.ok(logBytes() <= walBytesKept, `${logBytes()} of ${longBytes} bytes are left`);
    assert.equal(
      (await db.read.selectFrom('settings').select('name').where('name', 'like', 'name-%').execute()).length,
      84,
    );
    await db.close();
  });

  it('a process with nothing else left to do closes the write-ahead log completely', async () => {
    const dataDir = temporaryDirectory();
    const script = `
      const { openDatabase } = await import(${JSON.stringify(new URL('../db.ts', import.meta.url).href)});
      const db = await openDatabase({ url: null, dataDir: ${JSON.stringify(dataDir)} });
      const row = { name: 'long', value: 'v'.repeat(${2 * walBytesKept}) };
      await db.background.write.insertInto('settings').values(row).execute();
      await db.fsync();
      await db.close();`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
    assert.ok(!existsSync(join(dataDir, 'signalpost.db-wal')), 'its log is left');
  });

  it('a checkpoint starts another thread after one failed, and closing does not wait for it', async () => {
    const folder = join(temporaryDirectory(), 'later');
    const log = createWalCheckpoints(join(folder, 'signalpost.db'));
    await assert.rejects(log.checkpoint(), /unable to open database file/);
    await assert.rejects(log.checkpoint(), /unable to open database file/);
    mkdirSync(folder);
    await log.checkpoint();
    await log.close();
    const unable = createWalCheckpoints(join(temporaryDirectory(), 'never', 'signalpost.db'));
    await assert.rejects(unable.checkpoint(), /unable to open database file/);
    await unable.close();
  });

  it('fsync succeeds before there is a write-ahead log, and again when nothing was written', async () => {
    const { db } = await opened();
    await db.fsync();
    await db.fsync();
    await db.close();
  });
});
