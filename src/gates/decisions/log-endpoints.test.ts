import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type CreateDatabase, describeService } from '../../../test/engines.ts';
import { blockDomain, type GateClient, gateClient, type WireDecision } from '../../../test/gate-client.ts';
import { type StartedApp, startApp } from '../../../test/start-app.ts';
import { errorTable } from '../../errors.ts';
import { createDecisionLog } from '../segments/decision-log.ts';
import { createSegmentsStore } from '../segments/segments-store.ts';
import { createDecisionsStore } from './decisions-store.ts';
import { createOutcomesStore } from './outcomes-store.ts';

const nowMs = Date.UTC(2026, 10, 15, 0, 20);

interface Page {
  readonly data: readonly WireDecision[];
  readonly meta: { readonly next_cursor: string | null };
}

const noOutcome = { outcome: null, outcome_reason: null };

const inputsOf = ({ data }: Page) => data.map(({ input }) => input.email ?? input.domain);

await describeService('the decision log', (fresh) => {
  let started: StartedApp;
  let client: GateClient;
  let gateId: string;
  let ruleId: string;
  const made: WireDecision[] = [];
  before(async () => {
    started = await startApp({}, { database: await fresh(), nowMs });
    client = gateClient(started);
    gateId = (await client.createGate()).id;
    ruleId = (await client.addRule(gateId, blockDomain('bad.example'))).id;
    const questions = [
      { email: 'Jane+News@Gmail.com' },
      { email: 'joe@gmail.com', ip: '203.0.113.7' },
      { domain: 'gmail.com' },
      { email: 'joe@bad.example', ip: '2001:DB8::1' },
      { domain: 'bücher.example' },
    ];
    for (const question of questions) {
      started.clock.advance(60_000);
      made.unshift(await client.decide(gateId, question));
    }
  });
  after(() => started.close());

  const log = (query = '') => client.call<Page>('GET', `/v1/gates/${gateId}/decisions${query}`);

  describe('200', () => {
    it('an entry is the answer with its id beside it, newest first', async () => {
      const { status, json } = await log();
      assert.equal(status, 200);
      assert.deepEqual(
        json.data,
        made.map((decision) => ({ id: decision.meta.decision_id, ...decision, ...noOutcome })),
      );
      assert.equal(json.meta.next_cursor, null);
    });

    it('a single entry can be read by its id [D179]', async () => {
      const [newest] = made;
      const { status, json } = await client.call('GET', `/v1/gates/${gateId}/decisions/${newest?.meta.decision_id}`);
      assert.deepEqual([status, json], [200, { data: { id: newest?.meta.decision_id, ...newest, ...noOutcome } }]);
    });

    it('the search over all gates shows the list sources that named the domain then', async () => {
      type Line = { named_by: Readonly<Record<'source' | 'says' | 'entry' | 'date', string>>[] };
      const { json } = await client.call<{ data: Line[] }>('GET', '/v1/decisions?q=joe@gmail.com');
      const [mail] = json.data;
      assert.deepEqual(
        mail?.named_by.map(({ source, says, entry }) => [source, says, entry]),
        [
          ['email-providers', 'public', 'gmail.com'],
          ['freemail', 'public', 'gmail.com'],
        ],
      );
      assert.match(mail?.named_by[0]?.date ?? '', /^\d{4}-\d\d-\d\dT/);
    });

    const rows: readonly (readonly [string, readonly string[]])[] = [
      ['email=joe@gmail.com', ['joe@gmail.com']],
      ['email=JOE@Gmail.com', ['joe@gmail.com']],
      ['email=jane%2BNEWS@gmail.com', ['Jane+News@Gmail.com']],
      ['email=jane+news@gmail.com', ['Jane+News@Gmail.com']],
      ['email=nobody@gmail.com', []],
      ['domain=gmail.com', ['gmail.com', 'joe@gmail.com', 'Jane+News@Gmail.com']],
      ['domain=GMAIL.com', ['gmail.com', 'joe@gmail.com', 'Jane+News@Gmail.com']],
      ['domain=xn--bcher-kva.example', ['bücher.example']],
      [`domain=${encodeURIComponent('bücher.example')}`, ['bücher.example']],
      ['ip=203.0.113.7', ['joe@gmail.com']],
      ['ip=2001:db8:0::1', ['joe@bad.example']],
      ['action=block', ['joe@bad.example']],
      ['action=challenge', []],
      ['action=block,challenge', ['joe@bad.example']],
      ['action=allow,%20block&ip=203.0.113.7', ['joe@gmail.com']],
      ['source=freemail', ['gmail.com', 'joe@gmail.com', 'Jane+News@Gmail.com']],
      ['source=fakefilter', []],
      ['network=203.0.113.0/24', ['joe@gmail.com']],
      ['network=2001:db8::/48', ['joe@bad.example']],
      ['network=AS64500', []],
      ['country=de', []],
      ['action=allow&domain=gmail.com&ip=203.0.113.7', ['joe@gmail.com']],
      ['from=2026-11-15T00:24:00Z', ['bücher.example', 'joe@bad.example']],
      ['from=2026-11-15T00:24:00+00:00', ['bücher.example', 'joe@bad.example']],
      ['from=2026-11-15T01:24:00%2B01:00', ['bücher.example', 'joe@bad.example']],
      ['to=2026-11-15T00:22:00Z', ['Jane+News@Gmail.com']],
      ['from=2026-11-15T00:22:00Z&to=2026-11-15T00:23:00Z', ['joe@gmail.com']],
      ['to=2026-11-15', []],
      ['from=2026-11-16', []],
    ];
    for (const [query, expected] of rows) {
      it(`the decision log 200: lists the matching decisions for ${query} [D178 D180]`, async () => {
        const { status, json, text } = await log(`?${query}`);
        assert.equal(status, 200, text);
        assert.deepEqual(inputsOf(json), expected);
      });
    }

    it('the decision log 200: lists the decisions that a given rule made', async () => {
      assert.deepEqual(inputsOf((await log(`?rule_id=${ruleId}`)).json), ['joe@bad.example']);
      assert.deepEqual(inputsOf((await log('?rule_id=01k00000000000000000000000')).json), []);
    });

    it('the decision log 200: is paged by a cursor that keeps its place while decisions are made [D162]', async () => {
      const first = (await log('?limit=2&domain=gmail.com')).json;
      assert.deepEqual(inputsOf(first), ['gmail.com', 'joe@gmail.com']);
      const { id } = await client.createGate();
      await client.decide(id, { domain: 'gmail.com' });
      const second = (await log(`?limit=2&domain=gmail.com&cursor=${first.meta.next_cursor}`)).json;
      assert.deepEqual(inputsOf(second), ['Jane+News@Gmail.com']);
      assert.equal(second.meta.next_cursor, null);
    });

    it('the decision log 200: shows a decision of v0 with its version', async () => {
      const { id } = await client.createGate();
      await started.request('POST', `/v0/gates/${id}/decisions`, {
        key: started.keys.production,
        body: { domain: 'example.com' },
      });
      const { json } = await client.call<Page>('GET', `/v1/gates/${id}/decisions`);
      assert.equal(json.data[0]?.meta.version, '0.1');
    });

    it('the decision log 200: shows the rule as it was when it decided', async () => {
      const { id } = await client.createGate();
      const rule = await client.addRule(id, { ...blockDomain('example.com'), name: 'Old name' });
      await client.decide(id, { domain: 'example.com' });
      await client.call('PATCH', `/v1/gates/${id}/rules/${rule.id}`, { name: 'New name' });
      const { json } = await client.call<Page>('GET', `/v1/gates/${id}/decisions`);
      assert.equal(json.data[0]?.decision.matched_rule?.name, 'Old name');
    });
  });

  it('the decision log finds a decision by its id in any case', async () => {
    const decisionId = made[0]?.meta.decision_id ?? '';
    const path = `/v1/gates/${gateId.toUpperCase()}/decisions/${decisionId.toLowerCase()}`;
    const { status, json } = await client.call<{ data: { id: string } }>('GET', path);
    assert.deepEqual([status, json.data.id], [200, decisionId]);
  });

  describe('404', () => {
    it('the decision log 404: refuses a decision that does not exist, and one of another gate [D214]', async () => {
      const { id } = await client.createGate();
      const other = await client.decide(id, { domain: 'example.com' });
      for (const decisionId of ['01K00000000000000000000000', 'nonsense', '%00', other.meta.decision_id]) {
        const { status, json } = await client.call('GET', `/v1/gates/${gateId}/decisions/${decisionId}`);
        assert.deepEqual(
          [status, json],
          [404, { error: 'decision_not_found', message: errorTable.decision_not_found.message }],
        );
      }
    });
  });

  describe('422', () => {
    const rows = [
      ['email=nonsense', 'email'],
      ['email=', 'email'],
      ['domain=not%20a%20domain', 'domain'],
      ['ip=1.2.3', 'ip'],
      ['action=deny', 'action'],
      ['rule_id=nonsense', 'rule_id'],
      ['from=yesterday', 'from'],
      ['from=2026-02-30', 'from'],
      ['to=2026-11-15T25:00:00Z', 'to'],
      ['from=2026-11-16&to=2026-11-15', 'from'],
      ['limit=0', 'limit'],
      ['limit=1000', 'limit'],
      ['cursor=nonsense', 'cursor'],
      ['action=block&action=allow', 'action'],
      ['action=block,deny', 'action'],
      ['action=', 'action'],
      ['source=', 'source'],
      ['country=Germany', 'country'],
      ['network=203.0.113.0/16', 'network'],
      ['network=ASX', 'network'],
    ] as const;
    for (const [query, path] of rows) {
      it(`the decision log 422: refuses ${query} [D189]`, async () => {
        const { status, json } = await client.call('GET', `/v1/gates/${gateId}/decisions?${query}`);
        assert.deepEqual([status, json.error], [422, 'validation_failed']);
        assert.deepEqual(Object.keys(json.errors ?? {}), [path]);
      });
    }

    it('the decision log 422: names every wrong parameter', async () => {
      const { json } = await client.call('GET', `/v1/gates/${gateId}/decisions?ip=x&action=y&limit=z`);
      assert.deepEqual(Object.keys(json.errors ?? {}).sort(), ['action', 'ip', 'limit']);
    });
  });
});

await describeService('the settings of the decision log', (fresh) => {
  describe('DECISION_LOG_ADDRESSES=hashed', () => hashedAddresses(fresh));

  it('DECISION_LOG_DAYS=0 keeps no log, and counts all the same [Q27]', async () => {
    const started = await startApp({ DECISION_LOG_DAYS: '0' }, { database: await fresh(), nowMs });
    const client = gateClient(started);
    const { id } = await client.createGate();
    const { meta } = await client.decide(id, { email: 'jane@gmail.com' });
    const { json } = await client.call('GET', `/v1/gates/${id}/decisions`);
    assert.deepEqual(json, { data: [], meta: { next_cursor: null } });
    assert.equal((await client.call('GET', `/v1/gates/${id}/decisions/${meta.decision_id}`)).status, 404);
    const stats = await client.call<{ data: { actions: object } }>('GET', `/v1/gates/${id}/stats`);
    assert.deepEqual(stats.json.data.actions, { allow: 1, block: 0, challenge: 0 });
    assert.equal((await started.db.read.selectFrom('decisions').select('id').execute()).length, 0);
    await started.close();
  });

  it('what was decided is written when the service stops [Q28]', async () => {
    const started = await startApp({}, { database: await fresh(), nowMs });
    const client = gateClient(started);
    const { id } = await client.createGate();
    const decisions: string[] = [];
    for (let count = 0; count < 600; count += 1) {
      decisions.push((await client.decide(id, { domain: `d${count}.example` })).meta.decision_id);
    }
    const metrics = await started.request('GET', '/metrics');
    assert.match(metrics.text, /^signalpost_decision_log_dropped_total 0$/m);
    await started.app.close();
    const log = createDecisionLog(
      createDecisionsStore(started.db),
      createSegmentsStore(started.db),
      createOutcomesStore(started.db),
    );
    assert.deepEqual((await log.list(id, {}, 1_000)).map((row) => row.id).reverse(), decisions);
    const counts = await started.db.read.selectFrom('decision_counts').select('decisions').execute();
    assert.equal(
      counts.reduce((sum, row) => sum + row.decisions, 0),
      600,
    );
    await started.db.close();
  });
});

function hashedAddresses(fresh: CreateDatabase): void {
  let started: StartedApp;
  let client: GateClient;
  let gateId: string;
  let answer: WireDecision;
  before(async () => {
    started = await startApp({ DECISION_LOG_ADDRESSES: 'hashed' }, { database: await fresh(), nowMs });
    client = gateClient(started);
    gateId = (await client.createGate()).id;
    answer = await client.decide(gateId, { email: 'Jane.Doe+Tagged@Gmail.com', ip: '203.0.113.7' });
    await client.decide(gateId, { domain: 'gmail.com' });
  });
  after(() => started.close());
  const log = (query = '') => client.call<Page>('GET', `/v1/gates/${gateId}/decisions${query}`);

  it('with hashed addresses, the answer itself shows the address', () => {
    assert.equal(answer.input.email, 'Jane.Doe+Tagged@Gmail.com');
    assert.equal(answer.signals.email?.normalized, 'janedoe@gmail.com');
  });

  it('with hashed addresses, the database holds no part of the address in plain text [Q26]', async () => {
    await log();
    const rows = await started.db.read.selectFrom('decisions').selectAll().execute();
    assert.equal(rows.length, 2);
    assert.doesNotMatch(JSON.stringify(rows), /jane|doe|tagged|203\.0\.113\.7/i);
  });

  it('with hashed addresses, an entry is found by its IP address in any notation, and by no other [D256]', async () => {
    const found = async (ip: string) => (await log(`?ip=${ip}`)).json.data.map(({ id }) => id);
    assert.deepEqual(await found('203.0.113.7'), [answer.meta.decision_id]);
    assert.deepEqual(await found('::ffff:203.0.113.7'), [answer.meta.decision_id]);
    assert.deepEqual(await found('203.0.113.8'), []);
  });

  it('with hashed addresses, an entry shows the keyed hash in place of the address, and what does not betray it', async () => {
    const { json } = await log(`?email=jane.doe%2Btagged@gmail.com`);
    const [entry] = json.data;
    const hash = entry?.input.email ?? '';
    assert.match(hash, /^hmac:[0-9a-f]{64}$/);
    const { normalized, ...email } = entry?.signals.email ?? {};
    assert.match(String(normalized), /^hmac:[0-9a-f]{64}$/);
    assert.notEqual(normalized, hash);
    assert.deepEqual(email, {
      address: hash,
      local_part: null,
      local_part_length: 15,
      subaddress: null,
      disposable: false,
      role_account: false,
    });
    assert.deepEqual(entry?.signals.domain, answer.signals.domain);
    assert.match(entry?.input.ip ?? '', /^hmac:[0-9a-f]{64}$/);
    assert.equal(entry?.signals.ip?.address, entry?.input.ip);
  });

  it('with hashed addresses, a search for the exact address still finds the entry, in upper or lower case; no other address does [D256]', async () => {
    assert.equal((await log('?email=JANE.DOE%2BTAGGED@gmail.com')).json.data.length, 1);
    assert.equal((await log('?email=janedoe@gmail.com')).json.data.length, 0);
    assert.equal((await log('?domain=gmail.com')).json.data.length, 2);
  });

  it('the hash of a logged address is keyed: it is no plain SHA-256, and the key is in the database only', async () => {
    const plain = createHash('sha256').update('jane.doe+tagged@gmail.com').digest('hex');
    const { json } = await log();
    assert.ok(!JSON.stringify(json).includes(plain));
    const secret = await started.db.read
      .selectFrom('settings')
      .select('value')
      .where('name', '=', 'decision_log_secret')
      .executeTakeFirstOrThrow();
    assert.match(secret.value, /^[0-9a-f]{64}$/);
    assert.ok(!JSON.stringify(json).includes(secret.value));
  });

  it('with hashed addresses, a trace of an entry shows null in place of the addresses, as documented', async () => {
    const path = `/v1/gates/${gateId}/trace`;
    const traced = await client.call<{ data: WireDecision }>('POST', path, { decision_id: answer.meta.decision_id });
    assert.equal(traced.status, 200);
    const { email, ip } = traced.json.data.signals;
    assert.deepEqual([email?.address, ip?.address], [null, null]);
  });

  it('with hashed addresses, a backtest knows nothing of the address that was not kept', async () => {
    const rule = (operator: string, value?: string) => ({
      name: operator,
      action: 'block',
      conditions: [{ field: 'email.address', operator, ...(value === undefined ? {} : { value }) }],
    });
    const changed = async (rules: object[]) => {
      const { json } = await client.call<{ data: { evaluated: number; changed: number } }>(
        'POST',
        `/v1/gates/${gateId}/backtest`,
        { rules },
      );
      return [json.data.evaluated, json.data.changed];
    };
    assert.deepEqual(await changed([rule('not_contains', 'x'), rule('contains', 'hmac')]), [2, 0]);
    assert.deepEqual(await changed([rule('is_unknown')]), [2, 2]);
  });
}
