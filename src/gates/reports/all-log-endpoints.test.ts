import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeService } from '../../../test/engines.ts';
import {
  blockDomain,
  type GateClient,
  gateClient,
  type WireDecision,
  type WireGate,
} from '../../../test/gate-client.ts';
import { type Browser, signedIn } from '../../../test/session-api/browser.ts';
import { type StartedApp, startApp } from '../../../test/start-app.ts';
import { sealDecisions } from '../segments/sealing.ts';
import { createSegmentsStore } from '../segments/segments-store.ts';

interface Line {
  readonly id: string;
  readonly gate: { readonly id: string; readonly name: string };
  readonly input: { readonly email?: string; readonly domain?: string };
  readonly domain: string;
  readonly action: string;
  readonly matched_rule: { readonly id: string } | null;
  readonly revision: number | null;
}
interface Page {
  readonly data: readonly Line[];
  readonly meta: { readonly next_cursor: string | null };
}

await describeService('the log over all gates', (fresh) => {
  let started: StartedApp;
  let client: GateClient;
  let browser: Browser;
  let strangers: readonly (readonly [Browser, string])[];
  let one: WireGate;
  let other: WireGate;
  const made: WireDecision[] = [];
  before(async () => {
    started = await startApp({}, { database: await fresh() });
    client = gateClient(started);
    browser = await signedIn(started);
    const { id } = await started.createAccount();
    strangers = [
      [await signedIn(started, { accountId: id }), 'production'],
      [browser, 'staging'],
    ];
    one = await client.createGate({ name: 'One', rules: [blockDomain('example.com')], preset: undefined });
    started.clock.advance(1);
    other = await client.createGate({ name: 'Other', default_action: 'challenge' });
    const ask = async (gate: WireGate, body: object) => made.push(await client.decide(gate.id, body));
    await ask(one, { email: 'jane@example.com', ip: '203.0.113.7' });
    await ask(other, { email: 'Jane@example.com' });
    await ask(one, { domain: 'example.org' });
    await ask(other, { domain: 'example.com', ip: '203.0.113.7' });
    // What came so far is sealed, what comes now is not.
    await client.call('GET', `/v1/gates/${one.id}/decisions`);
    await sealDecisions(createSegmentsStore(started.db), new AbortController().signal, { rows: 2, segments: 2 });
    await client.call('PATCH', `/v1/gates/${one.id}`, { default_action: 'block' });
    await ask(one, { domain: 'example.net' });
  });
  after(() => started.close());

  const ids = () => made.map(({ meta }) => meta.decision_id);
  const log = async (query = ''): Promise<Page> => {
    const { status, json, text } = await browser.call<Page>('GET', `/production/v1/decisions${query}`);
    assert.equal(status, 200, text);
    return json;
  };
  /** The places among all that were made, in the order in which they come. */
  const found = async (query: string): Promise<number[]> => (await log(query)).data.map(({ id }) => ids().indexOf(id));

  describe('200', () => {
    it('has the decisions of all gates, newest first, sealed or not, with gate and revision', async () => {
      const { data, meta } = await log();
      assert.equal(meta.next_cursor, null);
      assert.deepEqual(
        data.map(({ id }) => id),
        ids().toReversed(),
      );
      assert.deepEqual(
        data.map(({ gate, domain, action, revision }) => [gate.name, domain, action, revision]),
        [
          ['One', 'example.net', 'block', 2],
          ['Other', 'example.com', 'challenge', 1],
          ['One', 'example.org', 'allow', 1],
          ['Other', 'example.com', 'challenge', 1],
          ['One', 'example.com', 'block', 1],
        ],
      );
    });

    it('finds an address, a domain, an IP address and an id typed into one box, and combines filters', async () => {
      const rule = one.rules[0]?.id;
      for (const [query, places] of [
        ['?q=JANE%40example.com', [1, 0]],
        ['?mailbox=jane%2Bnews%40example.com', [1, 0]],
        ['?mailbox=joe%40example.com', []],
        ['?q=example.com', [3, 1, 0]],
        ['?q=203.0.113.7', [3, 0]],
        [`?q=${ids()[2]}`, [2]],
        [`?q=${ids()[2]?.toLowerCase()}`, [2]],
        [`?gate_id=${other.id}`, [3, 1]],
        ['?action=block', [4, 0]],
        ['?action=block,challenge', [4, 3, 1, 0]],
        ['?network=203.0.113.0/24&action=block', [0]],
        ['?source=freemail', []],
        ['?country=DE', []],
        [`?rule_id=${rule}`, [0]],
        [`?q=example.com&action=challenge&gate_id=${other.id}`, [3, 1]],
        [`?q=${ids()[2]}&action=block`, []],
        [`?after=${ids()[2]}`, [4, 3]],
        [`?q=${ids()[1]}&after=${ids()[2]}`, []],
        ['?to=2000-01-01', []],
      ] as const) {
        assert.deepEqual(await found(query), places, query);
        const { json } = await browser.call<{ data: object }>('GET', `/production/decisions/count${query}`);
        assert.deepEqual(json.data, { count: places.length, complete: true }, query);
      }
    });

    it('finds a decision by the id of its request, sealed or not, and no other request', async () => {
      for (const place of [0, 4]) {
        const requestId = made[place]?.meta.request_id ?? '';
        assert.notEqual(requestId, ids()[place]);
        assert.deepEqual(await found(`?q=${requestId}`), [place]);
        assert.deepEqual(await found(`?q=${requestId.toLowerCase()}&action=block`), [place]);
        assert.deepEqual(await found(`?q=${requestId.slice(0, 25)}${requestId.endsWith('0') ? '1' : '0'}`), []);
      }
    });

    it('finds the decisions that a rule matched without deciding, also in shadow mode, sealed or not', async () => {
      const shadow = { ...blockDomain('shadow.example'), mode: 'shadow' };
      const gate = await client.createGate({ rules: [shadow, blockDomain('shadow.example')], preset: undefined });
      const [first, second] = gate.rules;
      const hit = (await client.decide(gate.id, { email: 'a@shadow.example' })).meta.decision_id;
      await client.decide(gate.id, { email: 'a@other.example' });
      const matching = async (query: string) => (await log(query)).data.map(({ id }) => id);
      const check = async (state: string) => {
        assert.deepEqual(await matching(`?matched_rule_id=${first?.id}`), [hit], state);
        assert.deepEqual(await matching(`?matched_rule_id=${second?.id}`), [hit], state);
        assert.deepEqual(await matching(`?rule_id=${first?.id}`), [], state);
        assert.deepEqual(await matching(`?matched_rule_id=${first?.id}&action=allow`), [], state);
        assert.deepEqual(await matching(`?matched_rule_id=${first?.id}&gate_id=${one.id}`), [], state);
      };
      await check('as rows');
      await sealDecisions(createSegmentsStore(started.db), new AbortController().signal, { rows: 1, segments: 2 });
      await check('in segments');
      await client.call('DELETE', `/v1/gates/${gate.id}`);
    });

    it('comes in pages', async () => {
      const first = await log('?limit=2');
      const second = await log(`?limit=2&cursor=${first.meta.next_cursor}`);
      const third = await log(`?limit=2&cursor=${second.meta.next_cursor}`);
      const places = [first, second, third].map(({ data }) => data.map(({ id }) => ids().indexOf(id)));
      assert.deepEqual(places, [[4, 3], [2, 1], [0]]);
      assert.equal(third.meta.next_cursor, null);
    });

    it('one decision comes with the rules of then and the trace over them', async () => {
      interface Explained extends WireDecision {
        readonly gate: object;
        readonly revision: number;
        readonly rules: readonly { readonly id: string }[];
        readonly trace: { readonly action: string; readonly rules: readonly { readonly outcome: string }[] };
      }
      const read = async (place: number): Promise<Explained> =>
        (await browser.call<{ data: Explained }>('GET', `/production/decisions/${ids()[place]}`)).json.data;
      const { decision, gate, revision, rules, trace, signals } = await read(0);
      assert.deepEqual([decision.action, gate, revision, rules], ['block', { id: one.id, name: 'One' }, 1, one.rules]);
      assert.deepEqual([trace.action, trace.rules.map(({ outcome }) => outcome)], ['block', ['decided']]);
      assert.deepEqual(signals, made[0]?.signals);
      // The default action of then.
      assert.equal((await read(2)).trace.action, 'allow');
      assert.equal((await read(4)).trace.action, 'block');
    });

    it('of a decision whose revision is not kept nothing is guessed', async () => {
      const gate = await client.createGate();
      const { meta } = await client.decide(gate.id, { domain: 'late.example' });
      await client.addRule(gate.id);
      const gone = started.db.write.deleteFrom('gate_revisions').where('gate_id', '=', gate.id);
      await gone.where('revision', '=', 1).execute();
      const { json } = await browser.call<{ data: { rules: unknown; trace: unknown; revision: number } }>(
        'GET',
        `/production/decisions/${meta.decision_id}`,
      );
      assert.deepEqual([json.data.revision, json.data.rules, json.data.trace], [1, null, null]);
      await client.call('DELETE', `/v1/gates/${gate.id}`);
    });

    it('the summary counts seven days and says who changed each gate last', async () => {
      await browser.call('PATCH', `/production/v1/gates/${other.id}`, { body: { description: 'x' } });
      interface Summary {
        readonly name: string;
        readonly revision: number;
        readonly last_change: { readonly changed_by: { kind: string; name: string } };
        readonly counts: object;
      }
      const { json } = await browser.call<{ data: readonly Summary[] }>('GET', '/production/gates-summary');
      assert.deepEqual(
        json.data.map(({ name, revision, counts }) => [name, revision, counts]),
        [
          ['Other', 2, { allow: 0, block: 0, challenge: 2 }],
          ['One', 2, { allow: 1, block: 2, challenge: 0 }],
        ],
      );
      assert.deepEqual(
        json.data.map(({ last_change: { changed_by } }) => changed_by.kind),
        ['user', 'key'],
      );
      assert.match(json.data[0]?.last_change.changed_by.name ?? '', /@example\.com$/);
    });
  });

  describe('404', () => {
    it('strangers see nothing: no line, no decision, no gate', async () => {
      for (const [stranger, environment] of strangers) {
        const lines = await stranger.call<Page>('GET', `/${environment}/v1/decisions?q=${ids()[0]}`);
        assert.deepEqual(lines.json.data, []);
        const foreign = await stranger.call('GET', `/${environment}/decisions/${ids()[0]}`);
        const nobodys = await stranger.call('GET', `/${environment}/decisions/01K00000000000000000000000`);
        assert.deepEqual([foreign.status, foreign.json.error], [404, 'decision_not_found']);
        assert.deepEqual(foreign.json, nobodys.json);
        const gate = await stranger.call('GET', `/${environment}/v1/decisions?gate_id=${one.id}`);
        assert.deepEqual([gate.status, gate.json.error], [404, 'gate_not_found']);
        const count = await stranger.call('GET', `/${environment}/decisions/count?gate_id=${one.id}`);
        assert.deepEqual([count.status, count.json.error], [404, 'gate_not_found']);
        assert.deepEqual((await stranger.call('GET', `/${environment}/gates-summary`)).json.data, []);
      }
    });

    it('there is no such path for keys', async () => {
      for (const path of ['/log', '/gates-summary', `/decisions/${ids()[0]}`])
        assert.equal((await started.request('GET', path, { key: started.keys.production })).status, 404, path);
    });
  });

  describe('422', () => {
    it('what cannot be found is refused, by its name', async () => {
      for (const [query, field] of [
        ['?q=gmail', 'q'],
        ['?q=', 'q'],
        ['?q=a%40b%40c', 'q'],
        ['?gate_id=x', 'gate_id'],
        ['?rule_id=x', 'rule_id'],
        ['?action=deny', 'action'],
        ['?after=x', 'after'],
        ['?limit=0', 'limit'],
        ['?cursor=x', 'cursor'],
        ['?from=2026-11-16&to=2026-11-15', 'from'],
      ] as const) {
        const { status, json } = await browser.call<{ errors: object }>('GET', `/production/v1/decisions${query}`);
        assert.deepEqual([status, Object.keys(json.errors ?? {})], [422, [field]], query);
      }
    });
  });

  describe('200, the health of rules', () => {
    interface Health {
      readonly id: string;
      readonly days: readonly number[];
      readonly last_match_on: string | null;
      readonly mode_since: string;
      readonly good: number;
      readonly bad: number;
    }
    const dayMs = 86_400_000;

    it('has the matches by day, the last match, the age of the mode and the outcomes of each rule', async () => {
      const gate = await client.createGate();
      const live = await client.addRule(gate.id, blockDomain('live.example'));
      const shadow = await client.addRule(gate.id, { ...blockDomain('shadow.example'), mode: 'live' });
      const idle = await client.addRule(gate.id, blockDomain('idle.example'));
      const decide = (domain: string) => client.decide(gate.id, { domain });
      await decide('idle.example');
      started.clock.advance(40 * dayMs);
      await client.call('PATCH', `/v1/gates/${gate.id}/rules/${shadow.id}`, { mode: 'shadow' });
      const shadowSince = started.clock.now();
      await client.call('PATCH', `/v1/gates/${gate.id}/rules/${shadow.id}`, { name: 'Renamed' });
      const yesterday = await decide('live.example');
      started.clock.advance(dayMs);
      for (const domain of ['live.example', 'shadow.example', 'shadow.example']) await decide(domain);
      const outcomes = [{ decision_id: yesterday.meta.decision_id, outcome: 'bad' }];
      await client.call('POST', '/v1/outcomes', { outcomes });
      // The sessions of the other tests have expired.
      const viewer = await signedIn(started);
      const path = `gates/${gate.id}/rule-health`;
      const { json } = await viewer.call<{ data: readonly Health[] }>('GET', `/production/${path}`);
      const today = new Date(started.clock.now()).toISOString().slice(0, 10);
      const longAgo = new Date(started.clock.now() - 41 * dayMs).toISOString().slice(0, 10);
      assert.deepEqual(
        json.data.map(({ id, days, last_match_on, good, bad }) => [
          id,
          days.length,
          days.slice(-2),
          last_match_on,
          good,
          bad,
        ]),
        [
          [live.id, 30, [1, 1], today, 0, 1],
          [shadow.id, 30, [0, 2], today, 0, 0],
          [idle.id, 30, [0, 0], longAgo, 0, 0],
        ],
      );
      const [liveSince, since] = json.data.map(({ mode_since }) => Date.parse(mode_since));
      assert.equal(since, Math.floor(shadowSince / 1_000) * 1_000);
      assert.ok(liveSince !== undefined && liveSince < shadowSince - 39 * dayMs);
      const foreign = await viewer.call('GET', `/staging/${path}`);
      assert.deepEqual([foreign.status, foreign.json.error], [404, 'gate_not_found']);
    });
  });
});
