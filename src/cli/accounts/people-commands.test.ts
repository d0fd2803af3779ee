import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../../test/engines.ts';
import { until } from '../../../test/eventually.ts';
import { jsonInProcess, runInProcess } from '../../../test/run-in-process.ts';
import { serveSignalpost } from '../../../test/signalpost-process.ts';

interface Account {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}
interface Key {
  readonly id: string;
  readonly key: string;
  readonly last4: string;
  readonly name: string | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}
interface Entry {
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id: string; readonly from: string };
  readonly action: string;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

const env = { DATA_DIR: temporaryDirectory() };
const createAccount = () =>
  jsonInProcess<Account>(
    ['accounts', 'create', '--name', 'Jane', '--email', 'jane@example.com', '--plan', 'pro-200k'],
    env,
  );
const trail = (...words: string[]) => jsonInProcess<Entry[]>(['audit', ...words], env);
const production = (account: string) => ['--account', account, '--environment', 'production'];

describe('signalpost keys create --publishable', () => {
  it('signalpost keys create --publishable prints a key for web pages and the lines that use it [D605]', async () => {
    const { id } = await createAccount();
    const origins = ['--origin', 'https://app.example.com', '--origin', 'https://www.example.com'];
    const words = ['keys', 'create', ...production(id), '--publishable', ...origins];
    const made = await jsonInProcess<Record<string, unknown>>([...words, '--disposable'], env);
    assert.match(String(made.key), /^sp_pub_/);
    assert.deepEqual(made.origins, ['https://app.example.com', 'https://www.example.com']);
    assert.deepEqual([made.environment, made.disposable], ['production', true]);
    const { stdout } = await runInProcess(words, { ...env, PUBLIC_URL: 'https://signals.example.com' });
    assert.match(stdout, /<script src="https:\/\/signals\.example\.com\/form\.js" data-key="sp_pub_\w+" defer>/);
    const secret = await jsonInProcess<Record<string, unknown>>(['keys', 'create', ...production(id)], env);
    assert.deepEqual([secret.origins, secret.disposable], [null, null]);
  });

  it('signalpost keys create --publishable needs an origin, and --origin needs --publishable', async () => {
    const { id } = await createAccount();
    const without = await runInProcess(['keys', 'create', ...production(id), '--publishable'], env);
    assert.deepEqual([without.code, /1 to 20 origins/.test(without.stderr)], [1, true], without.stderr);
    const alone = await runInProcess(['keys', 'create', ...production(id), '--origin', 'https://a.example'], env);
    assert.deepEqual([alone.code, /need --publishable/.test(alone.stderr)], [2, true], alone.stderr);
  });
});

describe('signalpost keys import', () => {
  const importing = (account: string, text: string, more: string[] = []) =>
    runInProcess(['keys', 'import', ...production(account), '--json', ...more], env, text);

  it('signalpost keys import accepts many keys, one per line, and keys that exist already [D268]', async () => {
    const { id } = await createAccount();
    const first = await importing(id, '# from the old service\nk9Xw2qqq7Zt0aB3c\n\n', ['--name', 'old']);
    assert.equal(first.code, 0, first.stderr);
    const again = await importing(id, 'k9Xw2qqq7Zt0aB3c\nm4Rt8ppp1Lk5sD6f\nm4Rt8ppp1Lk5sD6f\n');
    const { imported, already } = JSON.parse(again.stdout) as { imported: number; already: number };
    assert.deepEqual([again.code, imported, already], [0, 1, 2]);
    const listed = await jsonInProcess<Key[]>(['keys', 'list', '--account', id], env);
    assert.deepEqual(
      listed.map(({ last4, name }) => [last4, name]),
      [
        ['aB3c', 'old'],
        ['sD6f', 'imported'],
      ],
    );
  });

  it('signalpost keys import refuses a wrong line with its number, and then imports nothing [D268]', async () => {
    const { id } = await createAccount();
    const { code, stdout, stderr } = await importing(id, 'w7Yb3nnn9Qe2hG5j\n\nAPI_KEY=c6Vu1mmm8Pz4kT0x\n');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^signalpost: line 3: NAME=[^\n]*Nothing was imported\n$/);
    assert.doesNotMatch(stderr, /c6Vu1/);
    assert.deepEqual(await jsonInProcess(['keys', 'list', '--account', id], env), []);
  });

  it('signalpost keys import warns about a key that is easy to guess, and imports it with the others [D268]', async () => {
    const { id } = await createAccount();
    const { code, stdout, stderr } = await importing(id, 'g8Kp5vvv2Rn6wX1z\nmypasswordmypassword\n');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^signalpost: line 2: it repeats[^\n]*were imported[^\n]*\n$/);
    const { imported, warnings } = JSON.parse(stdout) as { imported: number; warnings: { line: number }[] };
    assert.deepEqual([imported, warnings.map(({ line }) => line)], [2, [2]]);
  });

  it("signalpost keys import refuses another account's key, that of another environment, and a revoked one [D268]", async () => {
    const [mine, other] = [await createAccount(), await createAccount()];
    const key = 'd5Fs9kkk3Wm7vN1b';
    await importing(other.id, key);
    const foreign = await importing(mine.id, `t2Hj6rrr4Xc8yB0n\n${key}\n`);
    assert.equal(foreign.code, 1);
    assert.match(foreign.stderr, /line 2: this key belongs to another account/);
    const elsewhere = ['keys', 'import', '--account', other.id, '--environment', 'staging'];
    assert.match((await runInProcess(elsewhere, env, key)).stderr, /environment production/);
    const [record] = await jsonInProcess<Key[]>(['keys', 'list', '--account', other.id], env);
    await jsonInProcess(['keys', 'revoke', record?.id ?? ''], env);
    assert.match((await importing(other.id, key)).stderr, /line 1: this key was revoked/);
    assert.deepEqual(await jsonInProcess(['keys', 'list', '--account', mine.id], env), []);
  });
});

describe('signalpost accounts', () => {
  it('signalpost accounts updates name and email, and notes that they changed without saying to what [D235]', async () => {
    const { id } = await createAccount();
    const changed = await jsonInProcess<Account>(
      ['accounts', 'update', id, '--name', 'Joan', '--email', 'joan@b.example'],
      env,
    );
    assert.deepEqual([changed.name, changed.email], ['Joan', 'joan@b.example']);
    const [entry] = await trail('--account', id);
    assert.deepEqual([entry?.action, entry?.detail], ['account.changed', { name: 'changed', email: 'changed' }]);
    assert.equal((await runInProcess(['accounts', 'update', id], env)).code, 2);
    assert.equal((await runInProcess(['accounts', 'update', 'missing', '--name', 'x'], env)).code, 1);
  });

  it('signalpost accounts deletes an account with everything that belongs to it, beside a running server [D235]', async () => {
    const serving = await serveSignalpost(env);
    const { id } = await createAccount();
    const { key } = await jsonInProcess<Key>(['keys', 'create', ...production(id)], env);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const post = (path: string, body: object) =>
      fetch(serving.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal((await post('/blocklist', { domain: 'bad.example' })).status, 201);
    const gate = (await (await post('/v1/gates', { name: 'Sign-up gate' })).json()) as { data: { id: string } };
    assert.equal((await post(`/v1/gates/${gate.data.id}/decisions`, { email: 'jane@bad.example' })).status, 200);
    const hook = await post('/v1/webhooks', { url: 'https://hooks.example/', events: ['credits.threshold'] });
    const { data } = (await hook.json()) as typeof gate;
    assert.equal((await post(`/v1/webhooks/${data.id}/test`, {})).status, 201);
    assert.equal((await runInProcess(['accounts', 'delete', id], env)).code, 2);
    assert.equal(await serving.statusWith(key), 200);
    await jsonInProcess(['accounts', 'delete', id, '--yes'], env);
    await until(async () => (await serving.statusWith(key)) === 401);
    const accounts = await jsonInProcess<Account[]>(['accounts', 'list'], env);
    assert.ok(!accounts.some((account) => account.id === id));
    const entries = await trail('--account', id);
    assert.equal(entries[0]?.action, 'account.deleted');
    assert.ok(entries.some(({ action }) => action === 'gate.created'));
    assert.doesNotMatch(JSON.stringify(entries), /Sign-up gate|bad\.example|last4|127\.0\.0\.1/);
    await serving.stop();
  });
});

describe('signalpost keys', () => {
  it('keys with an expiry work until then, and not after [D269]', async () => {
    const { id } = await createAccount();
    const made = await jsonInProcess<Key>(['keys', 'create', ...production(id), '--expires', '2999-12-31'], env);
    assert.equal(made.expires_at, '2999-12-31T00:00:00+00:00');
    for (const wrong of ['soon', '2027-02-30', '31.12.2027']) {
      assert.equal((await runInProcess(['keys', 'create', ...production(id), '--expires', wrong], env)).code, 2, wrong);
    }
    const past = await runInProcess(['keys', 'create', ...production(id), '--expires', '2020-01-01'], env);
    assert.deepEqual([past.code, past.stderr], [1, 'signalpost: a key cannot expire in the past\n']);
  });

  it('keys show the minute in which they were last used, once the server has written it [D269]', async () => {
    const serving = await serveSignalpost(env);
    const { id } = await createAccount();
    const used = await jsonInProcess<Key>(['keys', 'create', ...production(id)], env);
    await jsonInProcess<Key>(['keys', 'create', ...production(id)], env);
    await until(async () => (await serving.statusWith(used.key)) === 200);
    await serving.stop();
    const [first, second] = await jsonInProcess<Key[]>(['keys', 'list', '--account', id], env);
    assert.match(first?.last_used_at ?? '', /T\d\d:\d\d:00\+00:00$/);
    assert.equal(second?.last_used_at, null);
  });
});

describe('signalpost audit', () => {
  it('signalpost audit shows additions to and removals from the lists of the operator [D270]', async () => {
    await jsonInProcess(['lists', 'add', 'allow', 'fine.example', 'good.example'], env);
    await jsonInProcess(['lists', 'add', 'allow', 'fine.example'], env);
    await jsonInProcess(['lists', 'remove', 'allow', 'good.example'], env);
    const entries = await trail('--action', 'list');
    assert.deepEqual(
      entries.map(({ action, subject, detail }) => [action, subject, detail]),
      [
        ['list.removed', 'allow', { count: 1, entries: ['good.example'] }],
        ['list.added', 'allow', { count: 2, entries: ['fine.example', 'good.example'] }],
      ],
    );
  });

  it('signalpost audit shows who created and revoked a key, when, and on which machine [D270]', async () => {
    const { id } = await createAccount();
    const { id: keyId } = await jsonInProcess<Key>(['keys', 'create', ...production(id), '--name', 'app'], env);
    await jsonInProcess(['keys', 'revoke', keyId], env);
    await jsonInProcess(['accounts', 'set-plan', id, 'free'], env);
    const entries = await trail('--account', id);
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['account.changed', 'key.revoked', 'key.created', 'account.created'],
    );
    assert.deepEqual(entries[0]?.detail, { plan: { from: 'pro-200k', to: 'free' } });
    assert.equal(entries[1]?.subject, keyId);
    for (const { actor, at } of entries) {
      assert.deepEqual([actor.kind, actor.id !== '', actor.from !== ''], ['command', true, true]);
      assert.match(at, /^\d{4}-\d\d-\d\dT/);
    }
    const keys = await trail('--account', id, '--action', 'key', '--limit', '1');
    assert.deepEqual(
      keys.map(({ action }) => action),
      ['key.revoked'],
    );
    const text = await runInProcess(['audit', '--subject', keyId], env);
    assert.match(text.stdout, /^time +who +from +what[\s\S]*key\.revoked +\w+/);
    for (const wrong of [
      ['--limit', '0'],
      ['--from', 'yesterday'],
    ]) {
      assert.equal((await runInProcess(['audit', ...wrong], env)).code, 2);
    }
  });
});
