import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { describeEngines, temporaryDirectory } from '../../../test/engines.ts';
import { type Db, openDatabase } from '../../db/db.ts';
import { fileStamp } from '../../files/file-stamp.ts';
import { readRefreshState, writeRefreshState } from '../refresh/refresh-state.ts';
import { distributedFiles } from './distributed-file.ts';
import { createSharedFilesStore } from './shared-files-store.ts';
import { syncFiles } from './sync-files.ts';

const asn = 'lists/ip/asn.mmdb';
const list = 'lists/sources/fakefilter.txt';

/** A data directory that is synced through a database. */
function instance(db: Db, isSnapshotCurrent = () => true) {
  const dataDir = temporaryDirectory();
  const path = (name: string) => join(dataDir, name);
  const warnings: unknown[] = [];
  const log = { info() {}, warn: (fields: object) => void warnings.push(fields) };
  let reloads = 0;
  return {
    dataDir,
    path,
    warnings,
    reloads: () => reloads,
    /** Writes a file and its state as a refresh does. */
    download(name: string, source: string, content: string | Buffer, checkedAtMs = 1_000) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
      const before = readRefreshState(dataDir, source);
      writeRefreshState(dataDir, source, { ...before, checkedAtMs, count: 7, stamp: fileStamp(path(name)) });
    },
    sync: () =>
      syncFiles({
        store: createSharedFilesStore(db),
        files: () => distributedFiles(dataDir, 'http://127.0.0.1:9/dns.json'),
        reload: async () => {
          reloads += 1;
        },
        isSnapshotCurrent,
        uploadSnapshot: async () => {},
        log,
        now: Date.now,
      }),
  };
}

await describeEngines('distributed list files', (fresh) => {
  it('a sync downloads the files of another instance unchanged, with their times and states', async () => {
    const db = await openDatabase(await fresh());
    const [one, other] = [instance(db), instance(db)];
    const content = randomBytes(2_500_000);
    one.download(asn, 'dbip-asn', content);
    one.download(list, 'fakefilter', 'a.com\n');
    await one.sync();
    await other.sync();
    assert.deepEqual(readFileSync(other.path(asn)), content);
    assert.equal(readFileSync(other.path(list), 'utf8'), 'a.com\n');
    assert.equal(Math.round(statSync(other.path(asn)).mtimeMs), Math.round(statSync(one.path(asn)).mtimeMs));
    const { stamp, count } = readRefreshState(other.dataDir, 'dbip-asn');
    assert.deepEqual([stamp, count], [fileStamp(other.path(asn)), 7]);
    assert.deepEqual([one.reloads(), other.reloads()], [0, 1]);
    await other.sync();
    assert.equal(other.reloads(), 1);
    await db.close();
  });

  it('a sync replaces the uploaded file when any instance has a newer one', async () => {
    const db = await openDatabase(await fresh());
    const [one, other] = [instance(db), instance(db)];
    one.download(list, 'fakefilter', 'a.com\n');
    await one.sync();
    await other.sync();
    other.download(list, 'fakefilter', 'a.com\nb.com\n');
    await other.sync();
    await one.sync();
    assert.equal(readFileSync(one.path(list), 'utf8'), 'a.com\nb.com\n');
    await db.close();
  });

  it("a sync neither uploads nor replaces an operator's own file", async () => {
    const db = await openDatabase(await fresh());
    const [one, other] = [instance(db), instance(db)];
    mkdirSync(dirname(one.path(asn)), { recursive: true });
    writeFileSync(one.path(asn), 'bought');
    await one.sync();
    await other.sync();
    assert.equal(existsSync(other.path(asn)), false);
    other.download(asn, 'dbip-asn', 'downloaded');
    await other.sync();
    await one.sync();
    assert.equal(readFileSync(one.path(asn), 'utf8'), 'bought');
    await db.close();
  });

  it('a sync uploads inputs of the snapshot only after the snapshot was built from them', async () => {
    const db = await openDatabase(await fresh());
    let isSnapshotCurrent = false;
    const [one, other] = [instance(db, () => isSnapshotCurrent), instance(db)];
    one.download(list, 'fakefilter', 'a.com\n');
    await one.sync();
    await other.sync();
    assert.equal(existsSync(other.path(list)), false);
    isSnapshotCurrent = true;
    await one.sync();
    await other.sync();
    assert.equal(existsSync(other.path(list)), true);
    await db.close();
  });

  it('a sync rejects a damaged download and keeps the last good file', async () => {
    const db = await openDatabase(await fresh());
    const [one, other] = [instance(db), instance(db)];
    one.download(asn, 'dbip-asn', 'good');
    await one.sync();
    await other.sync();
    one.download(asn, 'dbip-asn', 'better');
    await one.sync();
    await db.write
      .updateTable('shared_file_parts')
      .set({ bytes: Buffer.from('bitter') })
      .execute();
    await other.sync();
    assert.equal(readFileSync(other.path(asn), 'utf8'), 'good');
    assert.match(JSON.stringify(other.warnings, errorText), /not what was uploaded/);
    await db.close();
  });

  it('a sync shares the time of the last request to a publisher', async () => {
    const db = await openDatabase(await fresh());
    const [one, other] = [instance(db), instance(db)];
    one.download(list, 'fakefilter', 'a.com\n');
    await one.sync();
    await other.sync();
    writeRefreshState(one.dataDir, 'fakefilter', {
      ...readRefreshState(one.dataDir, 'fakefilter'),
      checkedAtMs: 2_000,
    });
    await one.sync();
    await other.sync();
    const { checkedAtMs, stamp } = readRefreshState(other.dataDir, 'fakefilter');
    assert.deepEqual([checkedAtMs, stamp], [2_000, fileStamp(other.path(list))]);
    await db.close();
  });
});

function errorText(_key: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}
