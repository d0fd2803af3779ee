import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Environment } from '../src/http/endpoint.ts';
import { describeService } from './engines.ts';
import { eventually } from './eventually.ts';
import { blockDomain, gateClient } from './gate-client.ts';
import type { Response } from './inject.ts';
import { type Operation, readOperations } from './openapi-document.ts';
import { realClock, type StartedApp, startApp, type TestAccount } from './start-app.ts';
import { storeWave } from './stored-wave.ts';

/** Ids of the owner's objects by the parameter that names them; `absent` has ids of no object. */
const absent = {
  gate_id: '01k00000000000000000000000',
  rule_id: '01k00000000000000000000000',
  decision_id: '01K00000000000000000000000',
  list_id: '01k00000000000000000000000',
  wave_id: '01k00000000000000000000000',
  domain: 'absent.example',
};
type Ids = Readonly<Record<keyof typeof absent, string>>;
const isOwned = (name: string): name is keyof Ids => Object.hasOwn(absent, name);

/** Valid bodies, so that only the object's owner can be the reason for a rejection. */
const bodies: Readonly<Record<string, unknown>> = {
  changeGate: { name: 'Taken over' },
  addRule: blockDomain('example.com'),
  orderRules: { rule_ids: [] },
  replaceRules: { rules: [] },
  restoreRevision: {},
  changeRule: { enabled: false },
  decide: { email: 'jane@example.com' },
  decideV0: { email: 'jane@example.com' },
  backtest: { rules: [] },
  trace: { email: 'jane@example.com' },
  setOutcome: { outcome: 'bad' },
  suggestRules: {},
  changeCustomList: { name: 'Taken over' },
  addToCustomList: { entries: [{ value: 'example.com' }] },
  removeFromCustomList: { values: ['own.example', 'spam.example'] },
  judgeWave: { verdict: 'fine' },
  reportWaveOutcome: { outcome: 'bad' },
  acceptWaveRule: {},
};

/** Lookups name a domain, which has no owner. */
const operations = readOperations().filter(
  ({ family, parameters }) => family !== 'lookup' && parameters.some((one) => one.in === 'path' && isOwned(one.name)),
);

await describeService("another tenant's object", (fresh) => {
  let started: StartedApp;
  let owned: Ids;
  let revoked: string;
  /** Keys of other tenants and their own objects: another account, and other environments of the same account. */
  let strangers: readonly { readonly key: string; readonly own: Ids }[];
  before(async () => {
    started = await startApp({}, { clock: realClock(), database: await fresh() });
    owned = await makeObjects(started, started.first, 'production', 'spam.example');
    const other = await started.createAccount();
    const others = [
      [other, 'production'],
      [other, 'staging'],
      [started.first, 'staging'],
      [started.first, 'development'],
    ] as const;
    const made = [];
    for (const [account, environment] of others)
      made.push({
        key: account.keys[environment],
        own: await makeObjects(started, account, environment, 'own.example'),
      });
    strangers = made;
    revoked = await revokedKey(started);
  });
  after(() => started.close());

  const send = (operation: Operation, ids: Ids, key?: string) =>
    started.request(
      operation.method,
      operation.path.replace(/\{(\w+)\}/g, (_, name) => (isOwned(name) ? ids[name] : '1')),
      {
        ...(key === undefined ? {} : { key }),
        ...(operation.body === null ? {} : { body: bodies[operation.id] }),
        headers: { 'x-request-id': '01K00000000000000000000000' },
      },
    );

  it("the tests request another tenant's object by every operation that names one, with a valid body", async () => {
    assert.equal(operations.length, 37);
    for (const operation of operations.filter(({ body }) => body !== null))
      assert.ok(Object.hasOwn(bodies, operation.id), operation.id);
  });

  for (const operation of operations) {
    const names = operation.parameters
      .filter((one) => one.in === 'path')
      .map(({ name }) => name)
      .filter(isOwned);
    for (const name of names) {
      it(`${operation.id}: answers a foreign ${name} exactly as a missing one [Q38]`, async () => {
        for (const { key, own } of strangers) {
          const ofForeign = await send(operation, { ...own, [name]: owned[name] }, key);
          const ofAbsent = await send(operation, { ...own, [name]: absent[name] }, key);
          assert.equal(ofForeign.status, 404, ofForeign.text);
          assert.deepEqual(comparable(ofForeign), comparable(ofAbsent));
        }
      });
    }

    it(`${operation.id}: reveals nothing about existing objects without a key, with a revoked key or without Pro [Q39]`, async () => {
      const free = await started.createAccount({ plan: 'free' });
      for (const [key, status] of [
        [undefined, 401],
        [revoked, 401],
        [free.keys.production, 403],
      ] as const) {
        const ofOwned = await send(operation, owned, key);
        assert.equal(ofOwned.status, status, ofOwned.text);
        // The free plan refills one token per second.
        if (status === 401) assert.deepEqual(comparable(ofOwned), comparable(await send(operation, absent, key)));
      }
    });
  }

  it("another tenant's object is unchanged after all these requests", async () => {
    const gate = await gateClient(started).readGate(owned.gate_id);
    assert.deepEqual(
      [gate.name, gate.rules.map(({ id, enabled }) => [id, enabled])],
      ['Signup', [[owned.rule_id, true]]],
    );
    const { status } = await started.request('GET', '/blocklist/spam.example', { key: started.keys.production });
    assert.equal(status, 200);
    const log = await gateClient(started).call<{ data: { outcome: string | null }[] }>(
      'GET',
      `/v1/gates/${owned.gate_id}/decisions`,
    );
    assert.deepEqual(
      log.json.data.map(({ outcome }) => outcome),
      ['good'],
    );
    const { json: list } = await gateClient(started).call<{ data: { name: string; entries_count: number } }>(
      'GET',
      `/v1/lists/${owned.list_id}`,
    );
    assert.deepEqual([list.data.name, list.data.entries_count], ['Partners', 1]);
    const { json: wave } = await gateClient(started).call<{ data: { verdict: string | null } }>(
      'GET',
      `/v1/waves/${owned.wave_id}`,
    );
    assert.equal(wave.data.verdict, null);
  });
});

function comparable({ status, text, headers }: Response): unknown {
  const { date: _date, 'x-ratelimit-remaining': _left, ...rest } = headers;
  return { status, text, headers: rest };
}

async function makeObjects(
  started: StartedApp,
  account: TestAccount,
  environment: Environment,
  domain: string,
): Promise<Ids> {
  const client = gateClient(started, account.keys[environment]);
  const { id } = await client.createGate();
  const rule = await client.addRule(id);
  const decided = await client.call<{ meta: { decision_id: string } }>('POST', `/v1/gates/${id}/decisions`, { domain });
  const { decision_id } = decided.json.meta;
  const outcome = `/v1/gates/${id}/decisions/${decision_id}/outcome`;
  assert.equal((await client.call('PUT', outcome, { outcome: 'good' })).status, 200);
  assert.equal((await client.call('POST', '/blocklist', { domain })).status, 201);
  const list = await client.call<{ data: { id: string } }>('POST', '/v1/lists', { name: 'Partners', kind: 'domain' });
  const entries = `/v1/lists/${list.json.data.id}/entries`;
  assert.equal((await client.call('POST', entries, { entries: [{ value: domain }] })).status, 200);
  return {
    gate_id: id,
    rule_id: rule.id,
    decision_id,
    list_id: list.json.data.id,
    wave_id: await storeWave(started, { account_id: account.id, environment }),
    domain,
  };
}

/** A key of the owner that was cached before it was revoked. */
async function revokedKey(started: StartedApp): Promise<string> {
  const { keys } = started.operator;
  const made = await keys.create({ accountId: started.first.id, environment: 'production', name: null });
  assert.equal((await started.request('GET', '/status', { key: made.key })).status, 200);
  await keys.revoke(made.record.id);
  await eventually(async () => {
    assert.equal((await started.request('GET', '/status', { key: made.key })).status, 401);
  });
  return made.key;
}
