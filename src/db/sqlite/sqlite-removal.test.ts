import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../test/engines.ts';
import { type Db, openDatabase } from '../db.ts';

const secret = 'jane-doe-who-wants-to-be-forgotten';
const filler = 'x'.repeat(300);

async function withPeople(): Promise<{ db: Db; dataDir: string; holds(): string[] }> {
  const dataDir = temporaryDirectory();
  const db = await openDatabase({ url: null, dataDir });
  await db.transaction(async (trx) => {
    for (let index = 0; index < 200; index += 1) {
      const value = `${secret}-${index}-${filler}`;
      await trx
        .insertInto('settings')
        .values({ name: `person-${index}`, value })
        .execute();
    }
  });
  const files = ['signalpost.db', 'signalpost.db-wal'].map((name) => join(dataDir, name));
  const holds = () => files.filter((file) => existsSync(file) && readFileSync(file).includes(secret));
  return { db, dataDir, holds };
}

test('removed rows are gone from the files of a database in use, once it is scrubbed [Q60]', async () => {
  const { db, holds } = await withPeople();
  await db.scrub();
  assert.equal(holds().length, 1);
  await db.write.deleteFrom('settings').where('name', 'like', 'person-%').execute();
  await db.scrub();
  assert.deepEqual(holds(), []);
  await db.close();
});

test('rows that an earlier version removed are not in a backup, though they are still in the file [Q60]', async () => {
  const { db, dataDir, holds } = await withPeople();
  await db.close();
  const earlier = new DatabaseSync(join(dataDir, 'signalpost.db'));
  earlier.exec("pragma secure_delete = off; delete from settings where name like 'person-%'");
  earlier.close();
  assert.equal(holds().length, 1);
  const target = join(temporaryDirectory(), 'copy.db');
  const again = await openDatabase({ url: null, dataDir });
  await again.backup(target);
  await again.close();
  assert.equal(readFileSync(target).includes(secret), false);
});
