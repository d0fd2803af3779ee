import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeService } from '../../../test/engines.ts';
import { type GateClient, gateClient } from '../../../test/gate-client.ts';
import { type StartedApp, startApp } from '../../../test/start-app.ts';

interface Found {
  readonly action: string;
  readonly changes: readonly {
    readonly summary: string;
    readonly request: { readonly method: 'POST' | 'PATCH'; readonly path: string; readonly body: object };
    readonly evaluated: number;
    readonly complete: boolean;
    readonly allows: number;
    readonly allows_good: number;
    readonly allows_bad: number;
  }[];
}

const disposable = {
  name: 'Disposable',
  action: 'block',
  stop: true,
  conditions: [{ field: 'domain.disposable', operator: 'equals', value: true }],
};

await describeService('the exceptions of a decision', (fresh) => {
  let started: StartedApp;
  let client: GateClient;
  before(async () => {
    started = await startApp({}, { database: await fresh() });
    client = gateClient(started);
  });
  after(() => started.close());

  const decide = async (gateId: string, email: string) => (await client.decide(gateId, { email })).meta.decision_id;
  const find = (gateId: string, decisionId: string) =>
    client.call<{ data: Found }>('GET', `/v1/gates/${gateId}/decisions/${decisionId}/exceptions`);
  const found = async (gateId: string, decisionId: string): Promise<Found> => {
    const { status, json, text } = await find(gateId, decisionId);
    assert.equal(status, 200, text);
    return json.data;
  };
  const actionOf = async (gateId: string, email: string) => (await client.decide(gateId, { email })).decision.action;

  describe('200', () => {
    it('GET exceptions 200: lists the changes that allow the subject, those that allow the fewest others first', async () => {
      const gate = await client.createGate({ preset: undefined, rules: [disposable] });
      const decisionId = await decide(gate.id, 'Joe+1@mailinator.com');
      const other = await decide(gate.id, 'ann@mailinator.com');
      await decide(gate.id, 'ann@yopmail.com');
      await decide(gate.id, 'jane@example.com');
      const outcome = `/v1/gates/${gate.id}/decisions/${other}/outcome`;
      assert.equal((await client.call('PUT', outcome, { outcome: 'bad' })).status, 200);
      const { action, changes } = await found(gate.id, decisionId);
      assert.equal(action, 'block');
      assert.deepEqual(
        changes.map(({ summary, request, ...counts }) => [request.method, counts]),
        [
          ['POST', { evaluated: 4, complete: true, allows: 1, allows_good: 0, allows_bad: 0 }],
          ['POST', { evaluated: 4, complete: true, allows: 2, allows_good: 0, allows_bad: 1 }],
          ['PATCH', { evaluated: 4, complete: true, allows: 3, allows_good: 0, allows_bad: 1 }],
        ],
      );
      const shown = changes.map(({ summary }) => summary);
      assert.deepEqual(shown, [
        'Add a rule on top that allows joe@mailinator.com',
        'Add a rule on top that allows mailinator.com',
        'Put the rule "Disposable" into shadow mode',
      ]);
    });

    it('GET exceptions 200: each change is a request that lets the subject in when it is sent', async () => {
      for (const index of [0, 1, 2]) {
        const gate = await client.createGate({ preset: undefined, rules: [disposable] });
        const decisionId = await decide(gate.id, 'joe@mailinator.com');
        const { method, path, body } = (await found(gate.id, decisionId)).changes[index]?.request ?? assert.fail();
        assert.ok((await client.call(method, path, body)).status < 300, path);
        assert.equal(await actionOf(gate.id, 'joe@mailinator.com'), 'allow', path);
        assert.deepEqual(await found(gate.id, decisionId), { action: 'allow', changes: [] });
      }
    });

    it('GET exceptions 200: an address is added to the list that the gate allows already', async () => {
      const { data: list } = (
        await client.call<{ data: { id: string } }>('POST', '/v1/lists', { name: 'Customers', kind: 'email' })
      ).json;
      const conditions = [{ field: 'email.address', operator: 'in_list', value: list.id }];
      const customers = { name: 'Customers', action: 'allow', stop: true, conditions };
      const gate = await client.createGate({ preset: undefined, rules: [customers, disposable] });
      const decisionId = await decide(gate.id, 'joe@mailinator.com');
      const [first] = (await found(gate.id, decisionId)).changes;
      const entries = [{ value: 'joe@mailinator.com' }];
      assert.deepEqual(first?.request, { method: 'POST', path: `/v1/lists/${list.id}/entries`, body: { entries } });
      assert.equal((await client.call('POST', first?.request.path ?? '', first?.request.body)).status, 200);
      assert.deepEqual(await found(gate.id, decisionId), { action: 'allow', changes: [] });

      // Below a final rule that blocks, the list has no effect: a rule on top is needed.
      const below = await client.createGate({ preset: undefined, rules: [disposable, customers] });
      const [change] = (await found(below.id, await decide(below.id, 'joe@mailinator.com'))).changes;
      assert.equal(change?.request.path, `/v1/gates/${below.id}/rules`);
    });

    it('GET exceptions 200: a change after which another rule still decides is left out', async () => {
      const twice = [disposable, { ...disposable, name: 'Disposable again' }];
      const gate = await client.createGate({ preset: undefined, rules: twice });
      const { changes } = await found(gate.id, await decide(gate.id, 'joe@mailinator.com'));
      assert.deepEqual(
        changes.map(({ request }) => request.method),
        ['POST', 'POST'],
      );
    });
  });

  describe('404', () => {
    it('GET exceptions 404: an unknown decision, and one of another gate', async () => {
      const [gate, other] = [await client.createGate(), await client.createGate()];
      const decisionId = await decide(other.id, 'jane@example.com');
      for (const id of [decisionId, '01m7000000000000000000000a', 'x']) {
        const { status, json } = await find(gate.id, id);
        assert.deepEqual([status, (json as unknown as { error: string }).error], [404, 'decision_not_found'], id);
      }
      assert.equal((await find('01m7000000000000000000000a', decisionId)).status, 404);
    });
  });
});

describe('the exceptions of a decision with a hidden address', () => {
  it('GET exceptions 200: a hashed log offers the domain and the rule', async () => {
    const started = await startApp({ DECISION_LOG_ADDRESSES: 'hashed' });
    const client = gateClient(started);
    const gate = await client.createGate({ preset: undefined, rules: [disposable] });
    const { meta } = await client.decide(gate.id, { email: 'joe@mailinator.com' });
    const path = `/v1/gates/${gate.id}/decisions/${meta.decision_id}/exceptions`;
    const { json } = await client.call<{ data: Found }>('GET', path);
    assert.deepEqual(
      json.data.changes.map(({ summary }) => summary),
      ['Add a rule on top that allows mailinator.com', 'Put the rule "Disposable" into shadow mode'],
    );
    await started.close();
  });
});
