import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeService } from '../engines.ts';
import { type StartedApp, startApp } from '../start-app.ts';
import { signedIn } from './browser.ts';

interface WireKey {
  readonly id: string;
  readonly environment: string;
  readonly name: string | null;
  readonly prefix: string;
  readonly last4: string;
  readonly state: string;
}
type OneKey = { readonly data: WireKey; readonly key: string };
type AllKeys = { readonly data: readonly WireKey[] };

await describeService('keys in the console', (fresh) => {
  let started: StartedApp;
  before(async () => {
    started = await startApp({}, { database: await fresh() });
  });
  after(() => started.close());

  it('keys in the console: a new key is shown once, works immediately, and is listed without its secret', async () => {
    const browser = await signedIn(started);
    const body = { environment: 'staging', name: 'sign-up form' };
    const made = await browser.call<OneKey>('POST', '/keys', { body });
    assert.equal(made.status, 201);
    assert.match(made.json.key, /^sp_stg_/);
    assert.equal((await started.request('GET', '/status', { key: made.json.key })).status, 200);
    const listed = await browser.call<AllKeys>('GET', '/keys');
    assert.ok(!listed.text.includes(made.json.key));
    const found = listed.json.data.find(({ id }) => id === made.json.data.id);
    assert.deepEqual(found, made.json.data);
    assert.deepEqual([found?.name, found?.state, found?.last4], ['sign-up form', 'in_use', made.json.key.slice(-4)]);
  });

  it('keys in the console: a key can be renamed; a revoked key stops working immediately, and cannot be renamed or revoked again', async () => {
    const browser = await signedIn(started);
    const { json } = await browser.call<OneKey>('POST', '/keys', { body: { environment: 'production' } });
    const path = `/keys/${json.data.id}`;
    const renamed = await browser.call<OneKey>('PATCH', path, { body: { name: 'Server' } });
    assert.deepEqual([renamed.status, renamed.json.data.name], [200, 'Server']);
    assert.equal((await started.request('GET', '/status', { key: json.key })).status, 200);
    assert.equal((await browser.call('DELETE', path)).status, 204);
    assert.equal((await started.request('GET', '/status', { key: json.key })).status, 401);
    assert.equal((await browser.call('DELETE', path)).status, 404);
    assert.equal((await browser.call('PATCH', path, { body: { name: 'Again' } })).status, 404);
    const { data } = (await browser.call<AllKeys>('GET', '/keys')).json;
    assert.equal(data.find(({ id }) => id === json.data.id)?.state, 'revoked');
  });

  it('keys in the console: keys of another account are neither listed nor found, and keep working', async () => {
    const other = await started.createAccount();
    const stranger = await signedIn(started, { accountId: other.id, role: 'operator' });
    const owner = await signedIn(started);
    const [own] = (await owner.call<AllKeys>('GET', '/keys')).json.data;
    const listed = (await stranger.call<AllKeys>('GET', '/keys')).json.data;
    assert.ok(listed.every(({ id }) => id !== own?.id));
    const notFound = { error: 'not_found', message: 'Not found' };
    assert.deepEqual((await stranger.call('DELETE', `/keys/${own?.id}`)).json, notFound);
    assert.deepEqual((await stranger.call('PATCH', `/keys/${own?.id}`, { body: { name: 'Mine' } })).json, notFound);
    assert.equal((await started.request('GET', '/status', { key: started.keys.production })).status, 200);
  });

  it('keys in the console: an invalid request gets an error for each field', async () => {
    const browser = await signedIn(started);
    for (const [body, field] of [
      [{ environment: 'prod' }, 'environment'],
      [{}, 'environment'],
      [{ environment: 'production', name: ' ' }, 'name'],
      [{ environment: 'production', name: 'x'.repeat(121) }, 'name'],
      [{ environment: 'production', name: 'a\u001b[2Jb' }, 'name'],
      [{ environment: 'production', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
      [{ environment: 'production', expires_at: 'soon' }, 'expires_at'],
      [{ environment: 'production', account_id: 'another' }, 'account_id'],
    ] as const) {
      const { status, json } = await browser.call<{ errors: object }>('POST', '/keys', { body });
      assert.deepEqual([status, Object.keys(json.errors)], [422, [field]], JSON.stringify(body));
    }
  });

  it('keys in the console: an account has at most 1,000', async () => {
    const { id } = await started.createAccount();
    const browser = await signedIn(started, { accountId: id });
    const row = { account_id: id, environment: 'production', name: null, prefix: '', last4: '', created_at: 1 };
    const rows = Array.from({ length: 997 }, (_, index) => ({
      ...row,
      id: `${id}-${index}`,
      hash: `${id}-${index}`,
      revoked_at: 1,
      expires_at: null,
      last_used_at: null,
    }));
    for (let start = 0; start < rows.length; start += 100)
      await started.db.write
        .insertInto('keys')
        .values(rows.slice(start, start + 100))
        .execute();
    assert.equal((await browser.call('POST', '/keys', { body: { environment: 'staging' } })).status, 422);
  });
});
