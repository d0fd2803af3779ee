import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { describeService, temporaryDirectory } from '../../test/engines.ts';
import { eventually } from '../../test/eventually.ts';
import { type StartedApp, startApp } from '../../test/start-app.ts';

const planOf = (id: string, blocklistEntries: number) => ({
  id,
  name: id,
  pro: true,
  credits: 100,
  rate_limit: 1_000,
  blocklist_entries: blocklistEntries,
});
const full = (most: number) => `The blocklist is full: this plan allows at most ${most} domains.`;
const listed = 'The domain has already been blocklisted for this environment.';

await describeService('a blocklist on a plan that allows three domains', (fresh) => {
  let started: StartedApp;
  before(async () => {
    const file = join(temporaryDirectory(), 'plans.json');
    writeFileSync(file, JSON.stringify([planOf('three', 3), planOf('two', 2)]));
    started = await startApp({ PLANS_FILE: file }, { database: await fresh() });
  });
  after(() => started.close());

  const add = (key: string, domain: string) => started.request('POST', '/blocklist', { key, body: { domain } });
  const bulk = (key: string, domains: readonly string[]) =>
    started.request<{ success: { domain: string }[]; errors: unknown }>('POST', '/blocklist/bulk', {
      key,
      body: { domains },
    });
  const total = async (key: string) =>
    (await started.request<{ meta: { total: number } }>('GET', '/blocklist', { key })).json.meta.total;

  it('a blocklist on a plan that allows three domains rejects the fourth with 422, and accepts it after a removal [Q64]', async () => {
    const { keys } = await started.createAccount({ plan: 'three' });
    for (const name of ['a', 'b', 'c']) assert.equal((await add(keys.production, `${name}.example`)).status, 201);
    const refused = await add(keys.production, 'd.example');
    assert.deepEqual([refused.status, refused.json], [422, { message: full(3), errors: { domain: [full(3)] } }]);
    assert.equal(await total(keys.production), 3);

    const again = await add(keys.production, 'a.example');
    assert.deepEqual([again.status, again.json], [422, { message: listed, errors: { domain: [listed] } }]);
    assert.equal((await add(keys.staging, 'd.example')).status, 201, 'another environment has a list of its own');

    await started.request('DELETE', '/blocklist/b.example', { key: keys.production });
    assert.equal((await add(keys.production, 'd.example')).status, 201);
  });

  it('a blocklist on a plan that allows three domains adds the domains of a bulk request that fit, and lists the others in errors [Q64]', async () => {
    const { production: key } = (await started.createAccount({ plan: 'three' })).keys;
    await add(key, 'a.example');
    const { status, json } = await bulk(key, ['b.example', 'a.example', 'no domain', 'c.example', 'd.example']);
    assert.equal(status, 200);
    assert.deepEqual(
      json.success.map(({ domain }) => domain),
      ['b.example', 'c.example'],
    );
    assert.deepEqual(json.errors, [
      { domain: 'a.example', error: listed },
      { domain: 'no domain', error: 'The domain is invalid.' },
      { domain: 'd.example', error: full(3) },
    ]);
    assert.equal(await total(key), 3);
  });

  it('a blocklist on a plan that allows three domains keeps its entries when the account moves to a smaller plan, and accepts no more [Q64]', async () => {
    const { id, keys } = await started.createAccount({ plan: 'three' });
    await bulk(keys.production, ['a.example', 'b.example', 'c.example']);
    await started.operator.accounts.setPlan(id, 'two');
    await eventually(async () => {
      const refused = await add(keys.production, 'd.example');
      assert.deepEqual(refused.json, { message: full(2), errors: { domain: [full(2)] } });
    });
    assert.equal(await total(keys.production), 3);
  });
});
