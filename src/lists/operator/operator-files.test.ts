import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { describeEngines, temporaryDirectory } from '../../../test/engines.ts';
import { openDatabase } from '../../db/db.ts';
import { createOperatorEntriesStore } from './operator-entries-store.ts';
import { importOperatorFiles } from './operator-files.ts';

await describeEngines("the operator's files of an earlier version", (fresh) => {
  it("the operator's files are imported once, without their wrong lines, and renamed", async () => {
    const db = await openDatabase(await fresh());
    const store = createOperatorEntriesStore(db);
    const folder = temporaryDirectory();
    const text = '# ours\n\ngood.com # since May\nnot a name\n  Other.com\n';
    writeFileSync(join(folder, 'allow.txt'), text);
    writeFileSync(join(folder, 'addresses.txt'), `${'AB'.repeat(32)}\njane@example.com\n`);
    const warned: unknown[] = [];
    const log = { info() {}, warn: (fields: object) => void warned.push(fields) };
    await importOperatorFiles(folder, store, log, 1);
    assert.deepEqual(await store.of('allow'), ['good.com', 'other.com']);
    assert.deepEqual(await store.of('addresses'), ['ab'.repeat(32)]);
    assert.deepEqual(
      warned.map((fields) => (fields as { problem: object }).problem),
      [
        { text: 'not a name', reason: 'not a domain name' },
        { text: 'jane@example.com', reason: 'not a SHA-256 in hexadecimal' },
      ],
    );
    assert.deepEqual(readdirSync(folder), ['addresses.txt.taken-over', 'allow.txt.taken-over']);
    assert.equal(readFileSync(join(folder, 'allow.txt.taken-over'), 'utf8'), text);
    await store.remove('allow', ['good.com'], { kind: 'command', id: 'test', from: null }, 2);
    await importOperatorFiles(folder, store, log, 3);
    assert.deepEqual(await store.of('allow'), ['other.com']);
    await db.close();
  });

  it("the operator's files that several instances have become one list", async () => {
    const db = await openDatabase(await fresh());
    const store = createOperatorEntriesStore(db);
    const root = temporaryDirectory();
    const folders = ['one', 'two', 'three'].map((name) => join(root, name));
    for (const folder of folders) {
      mkdirSync(folder);
      writeFileSync(join(folder, 'spam.txt'), `shared.com\n${folder.at(-1)}.example\n`);
    }
    const log = { info() {}, warn() {} };
    await Promise.all(folders.map((folder) => importOperatorFiles(folder, store, log, 1)));
    assert.deepEqual(await store.of('spam'), ['e.example', 'o.example', 'shared.com']);
    await db.close();
  });
});
