import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory } from './engines.ts';
import { jsonInProcess, runInProcess } from './run-in-process.ts';
import { runJson, runSignalpost, serveSignalpost } from './signalpost-process.ts';

interface Backup {
  readonly file: string;
  readonly removed: readonly string[];
}

interface Verified {
  readonly rows: Readonly<Record<string, number>>;
}

const domains = ['a.example', 'b.example', 'c.example'];

/** Backs up a running service, then changes it, and discards the later changes. */
async function backedUp() {
  const env = { DATA_DIR: temporaryDirectory() };
  const service = await serveSignalpost(env);
  const key = service.keys.production ?? '';
  const add = (domain: string) =>
    fetch(`${service.url}/blocklist`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ domain }),
    });
  for (const domain of domains) assert.equal((await add(domain)).status, 201);
  const folder = temporaryDirectory();
  const { file } = await runJson<Backup>(['backup', '--keep', '2', folder], env);
  assert.equal((await add('late.example')).status, 201);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const inUse = await runInProcess(['restore', file, '--replace'], env);
  assert.equal(inUse.code, 1);
  assert.match(inUse.stderr, /signalpost\.db is in use; stop the service first$/m);
  await service.stop();
  return { env, key, folder, file, metrics };
}

describe('a backup', () => {
  it('restoring a backup as documented brings back the data of that time, and nothing later', async () => {
    const { env, key, file, metrics } = await backedUp();
    assert.match(metrics, /^signalpost_last_backup_timestamp_seconds [1-9]/m);
    const { rows } = await runJson<Verified>(['verify', file], env);
    assert.equal(rows.blocklist_entries, 3);
    assert.equal(rows.keys, 3);

    const leftOver = join(env.DATA_DIR, 'signalpost.db.5c1f0c1e-7d0e-4a53-9d5f-0a3b1f6c2d4e.restore');
    writeFileSync(leftOver, 'of an interrupted restore');
    const { replaced } = await jsonInProcess<{ replaced: string }>(['restore', file, '--replace'], env);
    assert.equal(existsSync(leftOver), false);
    assert.equal((await jsonInProcess<Verified>(['verify', replaced], env)).rows.blocklist_entries, 4);
    const restored = await serveSignalpost(env);
    const answer = await fetch(`${restored.url}/blocklist`, { headers: { authorization: `Bearer ${key}` } });
    const { data } = (await answer.json()) as { data: { domain: string }[] };
    assert.deepEqual(data.map(({ domain }) => domain).sort(), domains);
    await restored.stop();
  });

  it('backup --keep keeps the newest copies and every unrelated file in the folder', async () => {
    const env = { DATA_DIR: temporaryDirectory() };
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'signalpost-before-upgrade.db'), 'mine');
    const future = join(folder, 'signalpost-2999-01-01T00-00-00.000Z.db');
    writeFileSync(future, 'from a clock that was ahead');
    const made: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const { file, removed } = await runJson<Backup>(['backup', '--keep', '2', folder], env);
      made.push(file);
      assert.deepEqual(removed, round === 0 ? [] : made.slice(-2, -1));
    }
    const names = readdirSync(folder).map((name) => join(folder, name));
    assert.deepEqual(names.sort(), [...made.slice(-1), future, join(folder, 'signalpost-before-upgrade.db')].sort());
  });

  it('backup --keep without a number is wrong usage; a missing folder is created', async () => {
    const env = { DATA_DIR: temporaryDirectory() };
    for (const keep of ['0', '-1', 'all', '1.5']) {
      const { code, stderr } = await runSignalpost(['backup', `--keep=${keep}`, temporaryDirectory()], env);
      assert.equal(code, 2, keep);
      assert.match(stderr, /--keep must be a whole number/);
    }
    const folder = join(temporaryDirectory(), 'new', 'folder');
    const { file } = await runJson<Backup>(['backup', '--keep', '1', folder], env);
    assert.ok(existsSync(file));
    const { code, stderr } = await runSignalpost(['backup', '--keep', '1', file], env);
    assert.equal(code, 1);
    assert.match(stderr, /^signalpost: [^\n]+ is not a folder\n$/);
  });
});

describe('verify', () => {
  it('signalpost verify reports what is wrong with a copy, exits with 1 and does not change it', async () => {
    const { env, file, folder } = await backedUp();
    const whole = readFileSync(file);
    const damaged = Buffer.from(whole);
    // The last page belongs to an index or a table; the header is unchanged.
    damaged.fill(0xaa, whole.length - 2_048);
    const cases: readonly [name: string, write: (path: string) => void, reason: RegExp][] = [
      ['cut.db', (path) => writeFileSync(path, whole.subarray(0, whole.length - 1)), /truncated/],
      ['damaged.db', (path) => writeFileSync(path, damaged), /damaged/],
      ['text.db', (path) => writeFileSync(path, 'not a database '.repeat(100)), /not a SQLite database/],
      ['none.db', () => {}, /cannot be read/],
    ];
    for (const [name, write, reason] of cases) {
      const path = join(folder, name);
      write(path);
      const { code, stderr } = await runSignalpost(['verify', path], env);
      assert.equal(code, 1, name);
      assert.match(stderr, reason);
      const restored = await runInProcess(['restore', path, '--replace'], env);
      assert.equal(restored.code, 1, name);
      assert.match(restored.stderr, reason);
    }
    assert.deepEqual(readFileSync(file), whole);
    assert.deepEqual(
      readdirSync(folder).sort(),
      ['cut.db', 'damaged.db', file.slice(folder.length + 1), 'text.db'].sort(),
    );
  });
});
