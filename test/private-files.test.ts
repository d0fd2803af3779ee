import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { temporaryDirectory } from './engines.ts';
import { runJson, serveSignalpost } from './signalpost-process.ts';

// Every process that this file starts inherits it: files are world-readable unless the service restricts them.
process.umask(0);

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

function open(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const wrong = modeOf(path) === (entry.isDirectory() ? '700' : '600') ? [] : [`${path} ${modeOf(path)}`];
    return entry.isDirectory() ? [...wrong, ...open(path)] : wrong;
  });
}

it('only the owner can access a data directory, its files and backups, whatever the umask [Q59]', async () => {
  const dataDir = join(temporaryDirectory(), 'data');
  const env = { DATA_DIR: dataDir };
  const serving = await serveSignalpost(env);
  const backup = join(temporaryDirectory(), 'copy.db');
  await runJson(['lists', 'add', 'allow', 'fine.example'], env);
  await runJson(['backup', backup], env);
  assert.deepEqual([modeOf(dataDir), open(dataDir), modeOf(backup)], ['700', [], '600']);
  await serving.stop();
});

it('a start restricts files that an earlier version left open, and does not touch foreign files [Q59]', async () => {
  const dataDir = join(temporaryDirectory(), 'data');
  const env = { DATA_DIR: dataDir };
  await runJson(['accounts', 'list'], env);
  mkdirSync(join(dataDir, 'lists', 'operator'), { recursive: true });
  for (const name of ['lists/operator/spam.txt', 'notes.txt']) {
    writeFileSync(join(dataDir, name), '');
    chmodSync(join(dataDir, name), 0o644);
  }
  chmodSync(join(dataDir, 'lists', 'operator'), 0o755);
  chmodSync(join(dataDir, 'signalpost.db'), 0o644);
  chmodSync(dataDir, 0o755);
  await runJson(['accounts', 'list'], env);
  assert.equal(modeOf(dataDir), '700');
  assert.deepEqual(open(dataDir), [`${join(dataDir, 'notes.txt')} 644`]);
});
