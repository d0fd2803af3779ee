import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../test/engines.ts';
import { until } from '../../../test/eventually.ts';
import { runInProcess } from '../../../test/run-in-process.ts';
import { spawnSignalpost } from '../../../test/signalpost-process.ts';

test('bulk adds columns to a CSV file, quoted cells and line breaks in them included', async () => {
  const folder = temporaryDirectory();
  const input = join(folder, 'in.csv');
  writeFileSync(input, 'name,email\r\n"Doe, ""J""\n",joe@mailinator.com\nX,not-an-address\n');
  const words = ['bulk', input, '--columns', 'disposable,did_you_mean'];
  const { stdout, code, stderr } = await runInProcess(words, { DATA_DIR: folder });
  assert.equal(code, 0, stderr);
  const expected =
    'name,email,valid,disposable,did_you_mean\r\n"Doe, ""J""\n",joe@mailinator.com,true,true,\nX,not-an-address,false,,\n';
  assert.equal(stdout, expected);
});

test('bulk adds signals to objects from a pipe', async () => {
  const words = ['bulk', '-', '--format', 'ndjson', '--column', 'mail', '--columns', 'did_you_mean'];
  const { stdout } = await runInProcess(
    words,
    { DATA_DIR: temporaryDirectory() },
    '{"mail":"a@gmial.com"}\n{"mail":1}',
  );
  assert.equal(stdout, '{"mail":"a@gmial.com","signals":{"did_you_mean":"a@gmail.com"}}\n{"mail":1,"signals":null}\n');
});

test('bulk continues after a kill, without repeating or losing a line [D239]', async () => {
  const folder = temporaryDirectory();
  const [input, out] = [join(folder, 'in.csv'), join(folder, 'out.csv')];
  const count = 300_000;
  const rows = Array.from({ length: count }, (_, index) => `${index},person.${index}@firm${index % 100}.com`);
  writeFileSync(input, `id,email\n${rows.join('\n')}\n`);
  const words = ['bulk', input, '--out', out];
  const { child, finished } = spawnSignalpost(words, { DATA_DIR: folder });
  await until(() => existsSync(`${out}.progress`));
  child.kill('SIGKILL');
  assert.equal((await finished).signal, 'SIGKILL');
  const { records } = JSON.parse(readFileSync(`${out}.progress`, 'utf8'));
  assert.ok(records > 0 && records < count, `${records} of ${count} were done`);
  assert.doesNotMatch(readFileSync(`${out}.progress`, 'utf8'), /person|email|in\.csv/);
  const resumed = await runInProcess(words, { DATA_DIR: folder });
  assert.equal(resumed.stdout, `${count} lines written to ${out}\n`);
  assert.match(resumed.stderr, new RegExp(`resuming after line ${records + 1}: ${records} lines are already in`));
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    lines.slice(1).map((line) => line.split(',')[0]),
    rows.map((_, index) => String(index)),
  );
  assert.ok(!existsSync(`${out}.progress`));
});

const changes: readonly (readonly [string, (content: string) => string, RegExp])[] = [
  ['longer', (content) => `${content}{"email":"new@firm.com"}\n`, /the input has changed since .* bytes then, \d+ now/],
  ['another of the same size', (content) => content.replace('a@firm', 'b@firm'), /the input has changed since/],
];
for (const [name, change, sentence] of changes) {
  test(`bulk refuses to resume with an input that is ${name} than when it was interrupted`, async () => {
    const folder = temporaryDirectory();
    const [input, out] = [join(folder, 'in.ndjson'), join(folder, 'out.ndjson')];
    // The first piece ends before the line that breaks the run off.
    const good = '{"email":"a@firm.com"}\n'.repeat(60_000);
    writeFileSync(input, `${good}not JSON\n`);
    const words = ['bulk', input, '--out', out];
    const broken = await runInProcess(words, { DATA_DIR: folder });
    assert.match(broken.stderr, /is not a JSON object/);
    const written = readFileSync(out, 'utf8');
    writeFileSync(input, change(`${good}not JSON\n`));
    const { code, stderr } = await runInProcess(words, { DATA_DIR: folder });
    assert.equal(code, 1);
    assert.match(stderr, sentence);
    assert.equal(readFileSync(out, 'utf8'), written);
  });
}
