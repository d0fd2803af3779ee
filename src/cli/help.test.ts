import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { describe, it, test } from 'node:test';
import { parseArgs } from 'node:util';
import { temporaryDirectory } from '../../test/engines.ts';
import { runInProcess } from '../../test/run-in-process.ts';
import { allCommands } from './all-commands.ts';
import { run } from './cli.ts';
import { optionsOf } from './help.ts';

describe('the help of every command', () => {
  it('has a line per option and an example', async () => {
    for (const command of allCommands) {
      const { stdout } = await runInProcess([...command.name.split(' '), '--help']);
      for (const [name, { help }] of Object.entries(optionsOf(command))) {
        const line = stdout.split('\n').find((each) => each.startsWith(`  --${name}`));
        assert.ok(line?.endsWith(`  ${help}`), `${command.name} --${name}`);
      }
      assert.ok(stdout.endsWith(`Example:\n  signalpost ${command.example}\n`), command.name);
    }
  });

  it('has an example that the command accepts', () => {
    for (const command of allCommands) {
      assert.ok(command.example.startsWith(command.name));
      const args = command.example.slice(command.name.length).split(' ').filter(Boolean);
      const { positionals } = parseArgs({ args, options: optionsOf(command), allowPositionals: true });
      const [min, max] = command.positionals;
      assert.ok(positionals.length >= min && positionals.length <= max, command.example);
    }
  });

  it('is also shown by `help COMMAND`', async () => {
    assert.match((await runInProcess(['help', 'keys', 'create'])).stdout, /--expires DATE +when the key stops working/);
  });
});

const mistyped: readonly (readonly [words: string, suggestion: string])[] = [
  ['acounts list', 'did you mean "accounts"?'],
  ['accounts lst', 'did you mean "accounts list"?'],
  ['chekc a@b.com', 'did you mean "check"?'],
  ['bulk people.csv --colum x', 'did you mean "--column"?'],
  ['check a@b.com --ofline', 'did you mean "--offline"?'],
  ['gates list --env production', 'did you mean "--environment"?'],
  ['serve --hlep', 'did you mean "--help"?'],
  ['--versoin', 'did you mean "--version"?'],
];
for (const [words, suggestion] of mistyped) {
  test(`"signalpost ${words}" exits with 2 and suggests the correct word`, async () => {
    const { code, stderr } = await runInProcess(words.split(' '));
    assert.equal(code, 2);
    assert.ok(stderr.includes(suggestion), stderr);
  });
}

test('a word that resembles no command gets no suggestion', async () => {
  assert.doesNotMatch((await runInProcess(['frobnicate'])).stderr, /did you mean/);
});

const folder = temporaryDirectory();
const missing = join(folder, 'missing.csv');
const failures: readonly (readonly [words: readonly string[], message: RegExp])[] = [
  [['bulk', missing], /missing\.csv: no such file or folder$/m],
  [['accuracy', missing], /missing\.csv: no such file or folder$/m],
  [['verify', missing], /missing\.csv: no such file or folder/],
  [['restore', missing], /missing\.csv: no such file or folder/],
  [['bulk', folder, '--offline'], /it is a folder$/m],
];
for (const [words, message] of failures) {
  test(`"signalpost ${words[0]}" names a file problem in words`, async () => {
    const { code, stderr } = await runInProcess(words, { DATA_DIR: folder });
    assert.equal(code, 1);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /ENOENT|EEXIST|EISDIR/);
  });
}

test('demo refuses to remove an earlier demonstration without --replace', async () => {
  const dataDir = temporaryDirectory();
  await runInProcess(['accounts', 'list'], { DATA_DIR: join(dataDir, 'demo') });
  const { code, stderr } = await runInProcess(['demo'], { DATA_DIR: dataDir });
  assert.equal(code, 1);
  assert.match(stderr, /has the data of an earlier demonstration; --replace removes it/);
});

test('a data directory that cannot be created fails with one line', async () => {
  const { texts, io } = streams({ DATA_DIR: '/proc/x' });
  assert.equal(await run(['accounts', 'list'], io), 1);
  assert.equal(texts.stderr, 'signalpost: cannot write to DATA_DIR /proc/x: /proc/x: no such file or folder\n');
});

/** Streams of a terminal, or of a pipe. */
function streams(env: NodeJS.ProcessEnv, isTTY = false) {
  const texts = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof texts) =>
    Object.assign(
      new Writable({
        write(piece, _encoding, done) {
          texts[name] += piece;
          done();
        },
      }),
      { isTTY },
    );
  return { texts, io: { stdin: Readable.from([]), stdout: stream('stdout'), stderr: stream('stderr'), env } };
}

describe('colour', () => {
  const shown = async (env: NodeJS.ProcessEnv, isTTY: boolean): Promise<string> => {
    const { texts, io } = streams(env, isTTY);
    await run(['check', '--help'], io);
    await run(['chekc'], io);
    return texts.stdout + texts.stderr;
  };
  it('is used on a terminal', async () =>
    assert.match(await shown({}, true), /\u001b\[1mUsage:[\s\S]*\u001b\[31msignalpost:/));
  it('is not used in a pipe', async () => assert.doesNotMatch(await shown({}, false), /\u001b/));
  it('is not used with NO_COLOR', async () => assert.doesNotMatch(await shown({ NO_COLOR: '1' }, true), /\u001b/));
});

test('backup --keep creates its folder, and restore puts the copy into an empty data directory', async () => {
  const env = { DATA_DIR: temporaryDirectory() };
  const made = await runInProcess(
    ['accounts', 'create', '--name', 'Jane', '--email', 'jane@example.com', '--plan', 'free'],
    env,
  );
  assert.equal(made.code, 0, made.stderr);
  const copies = join(temporaryDirectory(), 'new', 'folder');
  const { stdout } = await runInProcess(['backup', '--keep', '2', copies, '--json'], env);
  const { file } = JSON.parse(stdout);
  assert.ok(existsSync(file));
  const other = { DATA_DIR: join(temporaryDirectory(), 'var') };
  const restored = await runInProcess(['restore', file], other);
  assert.equal(restored.code, 0, restored.stderr);
  assert.match((await runInProcess(['accounts', 'list'], other)).stdout, /Jane/);
  const again = await runInProcess(['restore', file], other);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /already has a database; --replace renames it/);
  const replaced = await runInProcess(['restore', file, '--replace', '--json'], other);
  assert.ok(existsSync(JSON.parse(replaced.stdout).replaced), replaced.stderr);
  assert.match((await runInProcess(['accounts', 'list'], other)).stdout, /Jane/);
});
