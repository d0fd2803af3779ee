import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../test/engines.ts';
import { jsonInProcess, runInProcess } from '../../test/run-in-process.ts';
import { runSignalpost } from '../../test/signalpost-process.ts';
import { allCommands } from './all-commands.ts';

interface Account {
  readonly id: string;
  readonly plan: string;
  readonly overage: boolean;
}
interface Key {
  readonly id: string;
  readonly key?: string;
  readonly environment: string;
  readonly last4: string;
  readonly revoked_at: string | null;
}

const env = { DATA_DIR: temporaryDirectory() };
const accountCommands = allCommands.filter((command) => 'account' in command.options);
const createAccount = () =>
  jsonInProcess<Account>(
    ['accounts', 'create', '--name', 'Jane', '--email', 'jane@example.com', '--plan', 'free'],
    env,
  );

describe('exit code 0', () => {
  it('exit code 0 comes with help, an overview of every command, and the version', async () => {
    const [help, own, version] = await Promise.all([
      runSignalpost(['--help'], env),
      runInProcess(['keys', 'import', '--help'], env),
      runInProcess(['--version'], env),
    ]);
    for (const command of [
      'serve',
      'accounts create',
      'accounts set-overage',
      'keys import',
      'keys revoke',
      'backup',
    ]) {
      assert.ok(help.stdout.includes(command), command);
    }
    assert.match(own.stdout, /standard input[\s\S]*Usage: signalpost keys import \[--account ID\]/);
    const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    assert.equal(version.stdout, `${manifest.version}\n`);
    assert.deepEqual([help.code, own.code, version.code], [0, 0, 0]);
  });

  it('exit code 0 comes from the source and from the bundle', async () => {
    const { id } = await createAccount();
    for (const source of ['true', 'false']) {
      const { code, stdout } = await runSignalpost(['accounts', 'list'], { ...env, SIGNALPOST_SOURCE: source });
      assert.equal(code, 0, source);
      assert.match(stdout, new RegExp(`^${id} +Jane`, 'm'));
    }
  });

  it('exit code 0 comes with the help of a group of commands', async () => {
    for (const words of [
      ['accounts', '--help'],
      ['accounts', '-h'],
      ['accounts', 'help'],
      ['help', 'accounts'],
    ]) {
      const { code, stdout } = await runInProcess(words, env);
      assert.equal(code, 0, words.join(' '));
      assert.match(stdout, /accounts create[\s\S]*accounts set-plan/);
      assert.doesNotMatch(stdout, /keys create/);
    }
  });

  it('exit code 0 comes with one JSON document on standard output, and nothing else there, with --json [D229]', async () => {
    const account = await createAccount();
    const words = ['keys', 'create', '--account', account.id, '--environment', 'staging', '--name', 'app', '--json'];
    const { code, stdout } = await runInProcess(words, env);
    assert.equal(code, 0);
    assert.equal(stdout.split('\n').length, 2);
    const made = JSON.parse(stdout) as Key;
    assert.match(made.key ?? '', /^sp_stg_[0-9A-Za-z]{28}$/);
    assert.equal(made.environment, 'staging');
    const listed = await jsonInProcess<Key[]>(['keys', 'list', '--account', account.id], env);
    assert.deepEqual(
      listed.map(({ id, key, last4 }) => [id, key, last4]),
      [[made.id, undefined, made.key?.slice(-4)]],
    );
  });

  it('exit code 0 comes with readable text without --json', async () => {
    const { id } = await createAccount();
    const { code, stdout } = await runInProcess(['accounts', 'list'], env);
    assert.equal(code, 0);
    assert.match(stdout, /^id +name +email +plan +overage\n/);
    assert.match(stdout, new RegExp(`^${id} +Jane +jane@example\\.com +free +off$`, 'm'));
  });

  it('exit code 0 comes with a changed plan and overage [D235]', async () => {
    const { id } = await createAccount();
    await jsonInProcess(['accounts', 'set-plan', id, 'pro-200k'], env);
    await jsonInProcess(['accounts', 'set-overage', id, 'on'], env);
    const accounts = await jsonInProcess<Account[]>(['accounts', 'list'], env);
    const changed = accounts.find((account) => account.id === id);
    assert.deepEqual([changed?.plan, changed?.overage], ['pro-200k', true]);
  });

  it('exit code 0 comes with an imported key from standard input, which is never printed [D30]', async () => {
    const { id } = await createAccount();
    const words = ['keys', 'import', '--account', id, '--environment', 'production'];
    const { code, stdout, stderr } = await runInProcess(words, env, 'from-another-service-42\n');
    assert.equal(code, 0);
    assert.doesNotMatch(stdout + stderr, /from-another-service/);
    const listed = await jsonInProcess<Key[]>(['keys', 'list', '--account', id], env);
    assert.deepEqual(
      listed.map(({ last4 }) => last4),
      ['e-42'],
    );
  });

  it('exit code 0 comes with a revoked key, once [D236]', async () => {
    const { id } = await createAccount();
    const made = await jsonInProcess<Key>(['keys', 'create', '--account', id, '--environment', 'production'], env);
    await jsonInProcess(['keys', 'revoke', made.id], env);
    const [listed] = await jsonInProcess<Key[]>(['keys', 'list', '--account', id], env);
    assert.match(listed?.revoked_at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    assert.equal((await runInProcess(['keys', 'revoke', made.id], env)).code, 1);
  });
});

describe('a command without --account', () => {
  it('a command without --account works on the only account, and names the choice when there are several', async () => {
    const own = { DATA_DIR: temporaryDirectory() };
    const create = ['accounts', 'create', '--name', 'A', '--email', 'a@example.com', '--plan', 'free', '--json'];
    const { id } = JSON.parse((await runInProcess(create, own)).stdout);
    const made = await runInProcess(['keys', 'create', '--environment', 'staging', '--json'], own);
    assert.equal(made.code, 0, made.stderr);
    const listed = await runInProcess(['keys', 'list', '--account', id, '--json'], own);
    assert.equal(JSON.parse(listed.stdout).length, 1);
    await runInProcess(create, own);
    const { code, stderr } = await runInProcess(['keys', 'list'], own);
    assert.equal(code, 2);
    assert.match(stderr, /--account is missing, and there are 2 accounts/);
  });
});

describe('exit code 1', () => {
  const failures: readonly { what: string; words: string[]; stdin?: string; env?: NodeJS.ProcessEnv; says: RegExp }[] =
    [
      {
        what: 'an account that does not exist',
        words: ['accounts', 'set-plan', 'missing', 'free'],
        says: /no account "missing"/,
      },
      {
        what: 'a plan that does not exist',
        words: ['accounts', 'set-plan', 'missing', 'gold'],
        says: /no plan "gold"/,
      },
      {
        what: 'the keys of an account that does not exist',
        words: ['keys', 'list', '--account', 'missing'],
        says: /no account "missing"/,
      },
      { what: 'a key that does not exist', words: ['keys', 'revoke', 'nothing'], says: /no key "nothing"/ },
      {
        what: 'a key that cannot be imported',
        words: ['keys', 'import', '--account', 'x', '--environment', 'staging'],
        stdin: 'sp_prd_mine',
        says: /16 to 128 printable ASCII/,
      },
      {
        what: 'an unreachable database',
        words: ['accounts', 'list', '--json'],
        env: { DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/none' },
        says: /^signalpost: cannot open the PostgreSQL at 127\.0\.0\.1:1\/none; check its URL .*: .*ECONNREFUSED/,
      },
      {
        what: 'a plans file that does not exist',
        words: ['accounts', 'list'],
        env: { PLANS_FILE: '/nowhere' },
        says: /PLANS_FILE/,
      },
    ];
  for (const { what, words, stdin, env: more, says } of failures) {
    it(`exit code 1 comes with one clear line on standard error for ${what} [D230]`, async () => {
      const { code, stdout, stderr } = await runInProcess(words, { ...env, ...more }, stdin);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, says);
      assert.match(stderr, /^signalpost: [^\n]+\n$/);
      assert.doesNotMatch(stderr, /secret/);
    });
  }

  for (const { name, example, options } of accountCommands) {
    it(`exit code 1 comes from signalpost ${name} for an account that does not exist [D230]`, async () => {
      const words = example.replace('ACCOUNT_ID', 'missing').split(' ');
      const stdin = options.name === undefined ? '' : 'from-another-service-43\n';
      const all = words.includes('--account') ? words : [...words, '--account', 'missing'];
      const { code, stdout, stderr } = await runInProcess(all, env, stdin);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^signalpost: there is no account "missing"\.?\n$/i);
    });
  }

  it('exit code 1 comes from a backup to an existing file, which stays unchanged', async () => {
    const file = join(temporaryDirectory(), 'backup.db');
    writeFileSync(file, 'mine');
    const { code, stderr } = await runInProcess(['backup', file], env);
    assert.equal(code, 1);
    assert.match(stderr, /the file exists/);
    assert.equal(readFileSync(file, 'utf8'), 'mine');
  });

  it('exit code 1 comes from a backup that would be of a PostgreSQL, before anything is written', async () => {
    const file = join(temporaryDirectory(), 'backup.db');
    const { code } = await runInProcess(['backup', file], { ...env, DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    assert.equal(code, 1);
    assert.equal(existsSync(file), false);
  });
});

describe('exit code 2', () => {
  const misuses: readonly { words: string[]; says: RegExp }[] = [
    { words: ['dance'], says: /unknown command "dance"; run signalpost --help/ },
    { words: ['keys'], says: /missing subcommand after "keys"; use one of: keys create, keys list/ },
    { words: ['keys', 'dance'], says: /unknown command "keys dance"; use one of: keys create, keys list/ },
    {
      words: ['keys', 'create'],
      says: /--account is missing, and there are \d+ accounts[^\n]*\nUsage: signalpost keys create \[--account ID\]/,
    },
    {
      words: ['keys', 'create', '--account', 'x', '--environment', 'moon'],
      says: /--environment is one of production, staging, development, not "moon"\nUsage:/,
    },
    { words: ['keys', 'revoke'], says: /missing argument: expected 1, got 0\nUsage: signalpost keys revoke KEY_ID/ },
    { words: ['keys', 'revoke', 'a', 'b'], says: /unexpected argument "b"\nUsage:/ },
    { words: ['accounts', 'list', '--colour'], says: /unknown option "--colour"\nUsage: signalpost accounts list/ },
    { words: ['accounts', 'set-overage', 'x', 'perhaps'], says: /overage is on or off, not "perhaps"\nUsage:/ },
    { words: ['backup'], says: /missing argument[^\n]*\nUsage: signalpost backup FILE/ },
  ];
  for (const { words, says } of misuses) {
    it(`exit code 2 comes with what is wrong and the correct usage for: signalpost ${words.join(' ')} [D231]`, async () => {
      const { code, stderr, stdout } = await runInProcess(words, env);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, says);
      assert.match(stderr, /^signalpost: /);
    });
  }

  it('exit code 2 comes with the overview of every command when signalpost is called without one', async () => {
    const { code, stdout } = await runSignalpost([], env);
    assert.equal(code, 2);
    assert.match(stdout, /^signalpost .*\n\nCommands:\n {2}serve +Run the service/);
  });
});
