import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { describeEngines, temporaryDirectory } from '../../../test/engines.ts';
import { type Db, openDatabase } from '../../db/db.ts';
import { fileStamp } from '../../files/file-stamp.ts';
import { readRefreshState, writeRefreshState } from '../refresh/refresh-state.ts';
import { shareFiles } from './share-files.ts';
import { shareables } from './shareable.ts';
import { createSharedFilesStore } from './shared-files-store.ts';

const asn = 'lists/ip/asn.mmdb';
const list = 'lists/sources/fakefilter.txt';

/** A data directory that shares through a database. */
function instance(db: Db, isSettled = () => true) {
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
    /** As a refresh leaves it. */
    download(name: string, source: string, content: string | Buffer, checkedAtMs = 1_000) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
      const before = readRefreshState(dataDir, source);
      writeRefreshState(dataDir, source, { ...before, checkedAtMs, count: 7, stamp: fileStamp(path(name)) });
    },
    share: () =>
      shareFiles({
        store: createSharedFilesStore(db),
        files: () => shareables(dataDir, 'http://127.0.0.1:9/dns.json'),
        reload: async () => {
          reloads += 1;
        },
        isSettled,
        putSnapshot: async () => {},
        log,
        now: Date.now,
      }),
  };
}

await describeEngines('files that instances share', (fresh) => {
  it('files that one instance downloaded come to the others whole, with their time and what is known of them', async () => {
    const db = await openDatabase(await fresh());
    const [one, other] = [instance(db), instance(db)];
    const content = randomBytes(2_500_000);
    one.download(asn, 'dbip-asn', content);
    one.download(list, 'fakefilter', 'a.com\n');
    await one.share();
    await other.share();
    assert.deepEqual(readFileSync(other.path(asn)), content);
    assert.equal(readFileSync(other.path(list), 'utf8'), 'a.com\n');
    assert.equal(Math.round(statSync(other.path(asn)).mtimeMs), Math.round(statSync(one.path(asn)).mtimeMs));
    const { stamp, count } = readRefreshState(other.dataDir, 'dbip-asn');
    assert.deepEqual([stamp, count], [fileStamp(other.path(asn)), 7]);
    assert.deepEqual([one.reloads(), other.reloads()], [0, 1]);
    await other.share();
    assert.equal(other.reloads(), 1);
    await db.close();
  });

  it('files that are newer replace those that are shared, whoever has them', async () => {
    const db = await openDatabase(await fresh());
    const [one, other] = [instance(db), instance(db)];
    one.download(list, 'fakefilter', 'a.com\n');
    await one.share();
    await other.share();
    other.download(list, 'fakefilter', 'a.com\nb.com\n');
    await other.share();
    await one.share();
    assert.equal(readFileSync(one.path(list), 'utf8'), 'a.com\nb.com\n');
    await db.close();
  });

  it('files of the operator are neither shared nor replaced', async () => {
    const db = await openDatabase(await fresh());
    const [one, other] = [instance(db), instance(db)];
    mkdirSync(dirname(one.path(asn)), { recursive: true });
    writeFileSync(one.path(asn), 'bought');
    await one.share();
    await other.share();
    assert.equal(existsSync(other.path(asn)), false);
    other.download(asn, 'dbip-asn', 'downloaded');
    await other.share();
    await one.share();
    assert.equal(readFileSync(one.path(asn), 'utf8'), 'bought');
    await db.close();
  });

  it('files that the snapshot is made from are shared once it is made from them', async () => {
    const db = await openDatabase(await fresh());
    let isSettled = false;
    const [one, other] = [instance(db, () => isSettled), instance(db)];
    one.download(list, 'fakefilter', 'a.com\n');
    await one.share();
    await other.share();
    assert.equal(existsSync(other.path(list)), false);
    isSettled = true;
    await one.share();
    await other.share();
    assert.equal(existsSync(other.path(list)), true);
    await db.close();
  });

  it('files that arrive damaged are not used, and the last good one stays', async () => {
    const db = await openDatabase(await fresh());
    const [one, other] = [instance(db), instance(db)];
    one.download(asn, 'dbip-asn', 'good');
    await one.share();
    await other.share();
    one.download(asn, 'dbip-asn', 'better');
    await one.share();
    await db.write
      .updateTable('shared_file_parts')
      .set({ bytes: Buffer.from('bitter') })
      .execute();
    await other.share();
    assert.equal(readFileSync(other.path(asn), 'utf8'), 'good');
    assert.match(JSON.stringify(other.warnings, errorText), /not what was shared/);
    await db.close();
  });

  it('files that a publisher was asked for by one instance are not asked for by the next', async () => {
    const db = await openDatabase(await fresh());
    const [one, other] = [instance(db), instance(db)];
    one.download(list, 'fakefilter', 'a.com\n');
    await one.share();
    await other.share();
    writeRefreshState(one.dataDir, 'fakefilter', {
      ...readRefreshState(one.dataDir, 'fakefilter'),
      checkedAtMs: 2_000,
    });
    await one.share();
    await other.share();
    const { checkedAtMs, stamp } = readRefreshState(other.dataDir, 'fakefilter');
    assert.deepEqual([checkedAtMs, stamp], [2_000, fileStamp(other.path(list))]);
    await db.close();
  });
});

function errorText(_key: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}
