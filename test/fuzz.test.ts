import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describeService } from './engines.ts';
import { blockDomain, type GateClient, gateClient } from './gate-client.ts';
import { type GeneratedRequest, requestsTo, type Samples } from './hostile-requests.ts';
import type { Response } from './inject.ts';
import { type Operation, readOperations } from './openapi-document.ts';
import { realClock, type StartedApp, startApp, type TestAccount } from './start-app.ts';
import { storeWave } from './stored-wave.ts';

const seed = 20_261_115;
/** Requests to each operation, those to one whose requests rarely succeed, and those of another tenant to each gate's. */
const [numRuns, maxRuns, tenantRuns] = process.env.TEST_FULL === 'true' ? [120, 120, 40] : [50, 120, 20];
const origin = 'https://app.example.com';
const missing = '01k00000000000000000000000';
/** Statuses that any path may return without listing them: a value may not form a valid path, or the method is not allowed. */
const outsideOperations = [404, 405];
/** Fields of an error body, by family. */
const errorFields: Readonly<Record<Operation['family'], readonly string[]>> = {
  lookup: ['status', 'error'],
  blocklist: ['message', 'errors'],
  gates: ['error', 'message', 'errors', 'rules'],
  'gates-v0': ['error', 'message', 'errors', 'meta'],
};
const requiredFields: Readonly<Record<Operation['family'], readonly string[]>> = {
  lookup: ['status', 'error'],
  blocklist: ['message'],
  gates: ['error', 'message'],
  'gates-v0': ['error', 'message'],
};

await describeService('any request to a documented operation', (fresh) => {
  let started: StartedApp;
  let otherTenant: TestAccount;
  let samples: Samples;
  let publishableKey: string;
  before(async () => {
    // On a busy machine the many requests of one account would exceed its CPU budget.
    started = await startApp({ ACCOUNT_CPU_PERCENT: '0' }, { clock: realClock(), database: await fresh() });
    otherTenant = await started.createAccount();
    samples = await makeObjects(started);
    const publishable = { origins: [origin], showsDisposable: true };
    const made = { accountId: started.first.id, environment: 'production', name: null, publishable } as const;
    publishableKey = (await started.operator.keys.create(made)).key;
  });
  after(() => started.close());

  const send = (operation: Operation, request: GeneratedRequest, key: string, headers = {}) =>
    started.request(operation.method, request.path, {
      key,
      headers: { ...request.headers, ...headers },
      ...(request.body === undefined ? {} : { body: request.body }),
    });

  for (const operation of readOperations()) {
    it(`${operation.id} is answered as documented, whatever is sent [Q35]`, async () => {
      // Restores objects that earlier requests removed.
      samples = await makeObjects(started);
      if (operation.id === 'suggestRules') await reportOutcomes(started, String(samples.gate_id?.[0]));
      const check = checker(operation);
      let successes = 0;
      const property = fc.asyncProperty(requestsTo(operation, samples), async (request) => {
        // Browsers send hints, with a key of their own.
        const key = operation.id === 'readHint' ? publishableKey : started.keys.production;
        const answer = await send(operation, request, key, { origin });
        check(answer);
        if (answer.status < 300) successes += 1;
        if (answer.status >= 400) assertNoLeak(answer, [key, started.first.id, ...addressesIn(request)]);
      });
      await fc.assert(property, { seed, numRuns });
      if (successes === 0) await fc.assert(property, { seed, numRuns: maxRuns });
      assert.ok(successes > 0, 'no request succeeded, so nothing was tested');
    });
  }

  for (const operation of readOperations().filter(({ path }) => path.includes('{gate_id}'))) {
    it(`${operation.id} answers another tenant the same for an existing gate as for a missing one, whatever is sent [Q36]`, async () => {
      const [gate] = samples.gate_id ?? [];
      await fc.assert(
        fc.asyncProperty(requestsTo(operation, { ...samples, gate_id: [gate] }), async (request) => {
          fc.pre(request.path.includes(String(gate)));
          const absent = { ...request, path: request.path.replace(String(gate), missing) };
          const headers = { 'x-request-id': '01K00000000000000000000000' };
          const ofForeign = await send(operation, request, otherTenant.keys.production, headers);
          const ofAbsent = await send(operation, absent, otherTenant.keys.production, headers);
          assert.ok(ofForeign.status >= 400, ofForeign.text);
          assert.deepEqual([ofForeign.status, ofForeign.text], [ofAbsent.status, ofAbsent.text]);
        }),
        { seed, numRuns: tenantRuns },
      );
    });
  }

  it('no request to a documented operation changes Object.prototype [Q37]', () => {
    assert.equal(Reflect.get({}, 'polluted'), undefined);
    assert.equal(
      Reflect.get(() => {}, 'polluted'),
      undefined,
    );
  });
});

/** Throws when the document does not list a response with this status and shape. */
function checker({ answers, family }: Operation): (answer: Response) => void {
  const compiled = new Map([...answers].map(([status, schema]) => [status, schema === null ? null : Compile(schema)]));
  return ({ status, headers, json, text }) => {
    assert.ok(status < 500, `${status} ${text}`);
    assert.ok(answers.has(status) || outsideOperations.includes(status), `${status} is not documented: ${text}`);
    assert.match(headers['x-request-id'] ?? '', /^[0-9A-Z]{26}$/);
    if (status === 204) {
      assert.equal(text, '');
      return;
    }
    assert.match(headers['content-type'] ?? '', /^application\/json/);
    const schema = compiled.get(status);
    if (status < 300) assert.ok(schema?.Check(json), text);
    // A wrong path under /v0 has the framework's body.
    else if (family !== 'gates-v0' || !('statusCode' in Object(json))) hasErrorShape(json, family);
  };
}

function hasErrorShape(json: unknown, family: Operation['family']): void {
  const fields = Object.keys(Object(json));
  assert.deepEqual(
    fields.filter((field) => !errorFields[family].includes(field)),
    [],
  );
  for (const field of requiredFields[family]) assert.ok(fields.includes(field), `${field} is missing`);
}

/** An error repeats neither the key nor the requested address, and reveals nothing of the implementation. */
function assertNoLeak({ text, json }: Response, secrets: readonly string[]): void {
  const { errors, ...rest } = Object(json) as { errors?: Record<string, unknown> };
  // The client chooses the names of fields, the service the texts.
  const said = JSON.stringify([rest, Object.values(errors ?? {})]);
  for (const secret of secrets) assert.ok(!said.includes(secret), `${secret} in ${text}`);
  assert.doesNotMatch(text, /\n\s+at |node_modules|\.ts:|SQLITE|sqlite|syntax error/);
}

function addressesIn({ path, body }: GeneratedRequest): string[] {
  const whole = `${decodeLeniently(path)} ${typeof body === 'string' ? body : JSON.stringify(body ?? '')}`;
  // Searches only around each @: trying every position of a long body is slow.
  return [...whole.matchAll(/@/g)].flatMap(({ index }) => {
    const around = whole.slice(Math.max(0, index - 64), index + 256);
    return around.match(/[\w.+-]{3,64}@[\w-]{1,63}(\.[\w-]{1,63}){1,3}/g) ?? [];
  });
}

function decodeLeniently(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Gates with rules, a decision, a listed domain, lists and a wave, by the names of their parameters and fields. */
async function makeObjects(started: StartedApp): Promise<Samples> {
  const client = gateClient(started);
  await removeAll(client, '/v1/gates', '?limit=100');
  const gates = [await client.createGate(), await client.createGate({ preset: 'signup' })];
  const ids = gates.map(({ id }) => id);
  const rule = await client.addRule(ids[0] ?? '', blockDomain('example.com'));
  const decided = await client.call<{ meta: { decision_id: string } }>('POST', `/v1/gates/${ids[0]}/decisions`, {
    email: 'jane.doe@example.com',
    ip: '203.0.113.7',
  });
  await client.call('POST', '/blocklist', { domain: 'spam.example' });
  const [usedList, freeList] = await makeLists(client);
  await client.addRule(ids[1] ?? '', { conditions: [{ field: 'domain.name', operator: 'in_list', value: usedList }] });
  await started.db.write.deleteFrom('waves').execute();
  await removeAll(client, '/v1/hooks');
  const hook = { name: 'Auth', gate_id: ids[0], format: 'generic' };
  const { json: hooked } = await client.call<{ data: { id: string } }>('POST', '/v1/hooks', hook);
  const webhook = await makeWebhook(client);
  return {
    gate_id: [...ids, missing],
    rule_id: [rule.id, missing],
    'rule_ids[]': [rule.id],
    decision_id: [decided.json.meta.decision_id, missing.toUpperCase()],
    revision: ['1', 'current', '99'],
    list_id: [freeList, usedList, missing],
    'entries[]': [
      { value: 'spam.example', note: 'Seen twice' },
      { value: 'new.example', expires_at: '2999-01-01T00:00:00Z' },
      { value: 'old.example', expires_at: '2020-01-01' },
      { value: '*' },
    ],
    'values[]': ['spam.example', 'absent.example', '*'],
    wave_id: [await storeWave(started), missing],
    hook_id: [hooked.data.id, missing],
    webhook_id: [webhook.id, missing],
    delivery_id: [webhook.deliveryId, missing.toUpperCase()],
    url: ['https://example.com/hooks', 'http://127.0.0.1/hooks', 'http://example.com/hooks'],
    'events[]': ['domain.flagged.spam', 'gate.decision', 'x'],
    'gate_ids[]': [...ids, 'x'],
    trace: [
      { email: 'jane.doe@example.com', ip: '203.0.113.7', rules: [blockDomain('example.com'), {}] },
      { decision_id: decided.json.meta.decision_id, default_action: 'block' },
    ],
    domain: ['spam.example', 'example.com', 'bücher.example', 'new.example'],
    'domains[]': ['spam.example', 'one.example', 'two.example'],
    email: ['jane.doe@example.com', 'john.smith+tag@gmail.com', '"j s"@example.com'],
    ip: ['203.0.113.7', '2001:db8::1', null],
    wait: ['domain_age_in_days', 'domain_authority, ,x', ''],
    'wait[]': ['domain_age_in_days', 'x'],
    'conditions[]': [
      { field: 'domain.name', operator: 'in', value: ['example.com', 'example.org'] },
      { field: 'email.local_part', operator: 'matches', value: '^a+$' },
      { field: 'domain.age_days', operator: 'between', value: [1, 2] },
      { field: 'domain.mx_records.*.hostname', operator: 'not_contains', value: 'x' },
      { field: 'domain.mx', operator: 'equals', value: true },
      { field: 'ip.network.asn', operator: 'is_unknown' },
      { field: 'domain.registrable', operator: 'not_in_list', value: usedList },
    ],
    cursor: ['eyJ4IjoxfQ', missing],
    from: ['2026-11-01T00:00:00Z', '2026-11-15'],
    to: ['2026-11-30T00:00:00+02:00', '2020-01-01'],
  };
}

/** A list of domains and a list of texts, each with an entry; there are no others. */
async function makeLists(client: GateClient): Promise<string[]> {
  await removeAll(client, '/v1/lists');
  const ids: string[] = [];
  for (const kind of ['domain', 'text']) {
    const made = await client.call<{ data: { id: string } }>('POST', '/v1/lists', { name: `A ${kind}`, kind });
    const { id } = made.json.data;
    await client.call('POST', `/v1/lists/${id}/entries`, { entries: [{ value: 'spam.example' }] });
    ids.push(id);
  }
  return ids;
}

/** As many decisions with outcomes as suggestions need. */
async function reportOutcomes(started: StartedApp, gateId: string): Promise<void> {
  const client = gateClient(started);
  const outcomes: object[] = [];
  for (let index = 0; index < 40; index += 1) {
    const isBad = index % 2 === 0;
    const email = `user${index}@${isBad ? 'bad' : 'good'}.example`;
    await client.call('POST', `/v1/gates/${gateId}/decisions`, { email });
    outcomes.push({ email, outcome: isBad ? 'bad' : 'good' });
  }
  assert.equal((await client.call('POST', '/v1/outcomes', { outcomes })).status, 200);
}

/** The environment's only webhook, and one of its deliveries. */
async function makeWebhook(client: GateClient): Promise<{ id: string; deliveryId: string }> {
  const { call } = client;
  await removeAll(client, '/v1/webhooks');
  const made = await call<{ data: { id: string } }>('POST', '/v1/webhooks', {
    url: 'https://example.com/hooks',
    events: ['gate.decision'],
  });
  const { id } = made.json.data;
  const sent = await call<{ data: { id: string } }>('POST', `/v1/webhooks/${id}/test`);
  return { id, deliveryId: sent.json.data.id };
}

async function removeAll({ call }: GateClient, path: string, query = ''): Promise<void> {
  const { json } = await call<{ data: { id: string }[] }>('GET', `${path}${query}`);
  for (const { id } of json.data) await call('DELETE', `${path}/${id}`);
}
