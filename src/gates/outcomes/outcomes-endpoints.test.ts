import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeEngines } from '../../../test/engines.ts';
import { blockDomain, type GateClient, gateClient, type WireError } from '../../../test/gate-client.ts';
import { signedIn } from '../../../test/session-api/browser.ts';
import { type StartedApp, startApp } from '../../../test/start-app.ts';
import { ulid } from '../../ulid.ts';
import { pruneDecisions } from '../decisions/decision-retention.ts';
import { createDecisionsStore } from '../decisions/decisions-store.ts';
import { createOutcomesStore } from '../decisions/outcomes-store.ts';
import { createStatsStore } from '../decisions/stats-store.ts';
import { createDecisionLog } from '../segments/decision-log.ts';
import { sealDecisions } from '../segments/sealing.ts';
import { createSegmentsStore } from '../segments/segments-store.ts';

const startMs = Date.UTC(2026, 10, 15, 0, 20);
const dayMs = 86_400_000;

interface Entry {
  readonly id: string;
  readonly outcome: string | null;
  readonly outcome_reason: string | null;
  readonly input: { readonly email?: string };
}
interface Applied {
  readonly data: { readonly matched: number; readonly decisions: number; readonly unmatched: readonly number[] };
}
interface Reported {
  readonly data: {
    readonly outcomes: object;
    readonly rules: readonly { readonly name: string; readonly good: number; readonly bad: number }[];
  };
}

await describeEngines('outcomes', (fresh) => {
  let started: StartedApp;
  let client: GateClient;
  before(async () => {
    started = await startApp({}, { database: await fresh(), nowMs: startMs });
    client = gateClient(started);
  });
  after(() => started.close());

  const log = () =>
    createDecisionLog(
      createDecisionsStore(started.db),
      createSegmentsStore(started.db),
      createOutcomesStore(started.db),
    );
  /** Moves every logged decision into compressed segments of two. */
  const sealAll = () =>
    sealDecisions(createSegmentsStore(started.db), new AbortController().signal, { rows: 2, segments: 2 });
  const stored = async () => {
    const rows = await started.db.read.selectFrom('decision_outcomes').select('decision_id').execute();
    return rows.map((row) => row.decision_id).sort();
  };
  const decide = async (gateId: string, email: string): Promise<string> =>
    (await client.decide(gateId, { email })).meta.decision_id;
  const set = (gateId: string, id: string, body: unknown) =>
    client.call('PUT', `/v1/gates/${gateId}/decisions/${id}/outcome`, body);
  const clear = (gateId: string, id: string) => client.call('DELETE', `/v1/gates/${gateId}/decisions/${id}/outcome`);
  const report = (outcomes: unknown) => client.call<Applied & WireError>('POST', '/v1/outcomes', { outcomes });
  const read = async (gateId: string, id: string) => {
    const { json } = await client.call<{ data: Entry }>('GET', `/v1/gates/${gateId}/decisions/${id}`);
    return [json.data.outcome, json.data.outcome_reason];
  };
  const search = async (path: string) => (await client.call<{ data: Entry[] }>('GET', path)).json.data;

  describe('200', () => {
    it('PUT stores the outcome of a decision that is still in the write buffer', async () => {
      const { id } = await client.createGate();
      const decision = await decide(id, 'jane@example.com');
      const { status, json } = await set(id, decision.toLowerCase(), { outcome: 'bad', reason: 'chargeback' });
      assert.deepEqual([status, json], [200, { data: { outcome: 'bad', outcome_reason: 'chargeback' } }]);
      assert.deepEqual(await read(id, decision), ['bad', 'chargeback']);
    });

    it('PUT replaces an outcome, and clears the reason that it does not name [D441]', async () => {
      const { id } = await client.createGate();
      const decision = await decide(id, 'jane@example.com');
      assert.deepEqual(await read(id, decision), [null, null]);
      await set(id, decision, { outcome: 'bad', reason: 'x'.repeat(200) });
      assert.equal((await set(id, decision, { outcome: 'good' })).status, 200);
      assert.deepEqual(await read(id, decision), ['good', null]);
    });

    it('POST applies outcomes by decision and by normalised address, in every gate, and names unmatched items [D442]', async () => {
      const [one, two] = [(await client.createGate()).id, (await client.createGate()).id];
      const spelt = [
        await decide(one, 'Bulk.Jane+1@googlemail.com'),
        await decide(two, 'bulkjane@gmail.com'),
        await decide(one, 'b.u.l.k.j.a.n.e@gmail.com'),
      ];
      const other = await decide(one, 'joe@bulk.example');
      await sealAll();
      const last = await decide(two, 'bulk.jane@gmail.com');
      const { status, json } = await report([
        { email: 'bulkj.ane+tag@gmail.com', outcome: 'bad', reason: 'spam' },
        { decision_id: other, outcome: 'good' },
        { email: 'nobody@bulk.example', outcome: 'good' },
        { decision_id: 'not an id', outcome: 'good' },
        { decision_id: '01K00000000000000000000000', outcome: 'good' },
      ]);
      assert.deepEqual([status, json], [200, { data: { matched: 2, decisions: 5, unmatched: [2, 3, 4] } }]);
      assert.deepEqual(await read(one, spelt[0] ?? ''), ['bad', 'spam']);
      assert.deepEqual(await read(two, spelt[1] ?? ''), ['bad', 'spam']);
      assert.deepEqual(await read(one, spelt[2] ?? ''), ['bad', 'spam']);
      assert.deepEqual(await read(two, last), ['bad', 'spam']);
      assert.deepEqual(await read(one, other), ['good', null]);
    });

    it('POST lets the last of several items about one decision win [D442]', async () => {
      const { id } = await client.createGate();
      const decision = await decide(id, 'twice@example.org');
      const byAddress = { email: 'twice@example.org', outcome: 'good' };
      const first = await report([{ decision_id: decision, outcome: 'bad', reason: 'x' }, byAddress]);
      assert.deepEqual(first.json.data, { matched: 2, decisions: 1, unmatched: [] });
      assert.deepEqual(await read(id, decision), ['good', null]);
      await report([byAddress, byAddress, { decision_id: decision, outcome: 'bad' }]);
      assert.deepEqual(await read(id, decision), ['bad', null]);
    });

    it('POST answers zeros for an empty array', async () => {
      assert.deepEqual((await report([])).json, { data: { matched: 0, decisions: 0, unmatched: [] } });
    });

    it('POST does not reach decisions of another environment', async () => {
      const { id } = await client.createGate();
      const decision = await decide(id, 'elsewhere@example.org');
      const staging = gateClient(started, started.keys.staging);
      const outcomes = [
        { decision_id: decision, outcome: 'bad' },
        { email: 'elsewhere@example.org', outcome: 'bad' },
      ];
      const { json } = await staging.call<Applied>('POST', '/v1/outcomes', { outcomes });
      assert.deepEqual(json.data, { matched: 0, decisions: 0, unmatched: [0, 1] });
      assert.deepEqual(await read(id, decision), [null, null]);
    });

    it('the log is filtered by outcome, in rows and in sealed segments [D443]', async () => {
      const { id } = await client.createGate();
      const ids: string[] = [];
      for (let count = 0; count < 12; count += 1) ids.unshift(await decide(id, `f${count}@filter.example`));
      const [bad, good] = [ids.filter((_, index) => index % 4 === 0), ids.filter((_, index) => index % 4 === 1)];
      await report([
        ...bad.map((decision_id) => ({ decision_id, outcome: 'bad' })),
        ...good.map((decision_id) => ({ decision_id, outcome: 'good' })),
      ]);
      const none = ids.filter((decision) => !bad.includes(decision) && !good.includes(decision));
      for (const seal of [async () => {}, sealAll]) {
        await seal();
        for (const [outcome, expected] of Object.entries({ bad, good, none })) {
          for (const [path, name] of [
            [`/v1/gates/${id}/decisions?`, 'email'],
            [`/v1/decisions?gate_id=${id}&`, 'q'],
          ]) {
            const found = await search(`${path}outcome=${outcome}`);
            assert.deepEqual(
              found.map((entry) => entry.id),
              expected,
            );
            assert.ok(found.every((entry) => (entry.outcome ?? 'none') === outcome));
            assert.deepEqual(
              (await search(`${path}outcome=${outcome}&limit=1&${name}=${found[1]?.input.email}`)).map(({ id }) => id),
              expected.slice(1, 2),
            );
          }
        }
      }
    });

    it('stats count outcomes by action and by every rule that matched, decisive or not, also in shadow mode [D444]', async () => {
      const { id } = await client.createGate();
      const tld = [{ field: 'domain.tld', operator: 'equals', value: 'example' }];
      for (const [name, rule] of Object.entries({
        shadow: { mode: 'shadow', conditions: tld },
        wide: { action: 'challenge', conditions: tld },
        narrow: blockDomain('bad.example'),
        idle: blockDomain('idle.example'),
      })) {
        await client.addRule(id, { ...rule, name });
      }
      const blocked = await decide(id, 'a@bad.example');
      const challenged = await decide(id, 'b@other.example');
      const allowed = await decide(id, 'c@gmail.com');
      await report([
        { decision_id: blocked, outcome: 'bad' },
        { decision_id: challenged, outcome: 'good' },
        { decision_id: allowed, outcome: 'bad' },
      ]);
      const stats = async (query = '') =>
        (await client.call<Reported>('GET', `/v1/gates/${id}/stats${query}`)).json.data;
      const { outcomes, rules } = await stats();
      assert.deepEqual(outcomes, {
        allow: { good: 0, bad: 1 },
        block: { good: 0, bad: 1 },
        challenge: { good: 1, bad: 0 },
      });
      assert.deepEqual(
        rules.map(({ name, good, bad }) => [name, good, bad]),
        [
          ['shadow', 1, 1],
          ['wide', 1, 1],
          ['narrow', 0, 1],
          ['idle', 0, 0],
        ],
      );
      await clear(id, blocked);
      assert.deepEqual((await stats()).rules[2]?.bad, 0);
      const none = { good: 0, bad: 0 };
      assert.deepEqual((await stats('?to=2026-11-14')).outcomes, { allow: none, block: none, challenge: none });
    });

    it('a backtest counts good and bad decisions among its changes [D444]', async () => {
      const { id } = await client.createGate();
      const ids: string[] = [];
      for (const name of ['a', 'b', 'c', 'd']) ids.push(await decide(id, `${name}@changed.example`));
      await report([
        { decision_id: ids[0], outcome: 'bad' },
        { decision_id: ids[1], outcome: 'bad' },
        { decision_id: ids[2], outcome: 'good' },
      ]);
      const body = { rules: [blockDomain('changed.example')] };
      const { json } = await client.call<{ data: { changes: object[] } }>('POST', `/v1/gates/${id}/backtest`, body);
      assert.deepEqual(json.data.changes, [{ from: 'allow', to: 'block', count: 4, good: 1, bad: 2 }]);
    });

    it('a backtest lists the changed decisions with an outcome when they are requested', async () => {
      const { id } = await client.createGate();
      const ids: string[] = [];
      for (let count = 0; count < 24; count += 1) ids.push(await decide(id, `l${count}@labelled.example`));
      await report([
        { decision_id: ids[0], outcome: 'bad' },
        { decision_id: ids[1], outcome: 'good' },
      ]);
      const examplesOf = async (more: object) => {
        const body = { rules: [blockDomain('labelled.example')], ...more };
        interface Tested {
          readonly data: { readonly examples: readonly { decision_id: string; outcome?: string }[] };
        }
        const { json } = await client.call<Tested>('POST', `/v1/gates/${id}/backtest`, body);
        return json.data.examples.map(({ decision_id, outcome }) => [decision_id, outcome]);
      };
      assert.deepEqual(
        await examplesOf({}),
        ids
          .slice(4)
          .reverse()
          .map((decision) => [decision, undefined]),
      );
      assert.deepEqual(await examplesOf({ examples: 'labelled' }), [
        [ids[1], 'good'],
        [ids[0], 'bad'],
      ]);
    });

    it('the overview sums outcomes over all gates by action', async () => {
      const { id: accountId, keys } = await started.createAccount();
      const own = gateClient(started, keys.production);
      const browser = await signedIn(started, { accountId });
      const outcomes = async () =>
        (await browser.call<{ data: { outcomes: object } }>('GET', '/production/overview')).json.data.outcomes;
      const none = { good: 0, bad: 0 };
      assert.deepEqual(await outcomes(), { allow: none, block: none, challenge: none });
      const blocking = { rules: [blockDomain('bad.example')], preset: undefined };
      for (const gate of [await own.createGate(), await own.createGate(blocking)]) {
        const { meta } = await own.decide(gate.id, { email: 'joe@bad.example' });
        await own.call('POST', '/v1/outcomes', { outcomes: [{ decision_id: meta.decision_id, outcome: 'bad' }] });
      }
      const bad = { good: 0, bad: 1 };
      assert.deepEqual(await outcomes(), { allow: bad, block: bad, challenge: none });
    });

    it('the overview sums more outcomes of several gates than one statement counts', async () => {
      const { id: accountId, keys } = await started.createAccount();
      const other = gateClient(started, keys.production);
      const gateIds = [(await other.createGate()).id, (await other.createGate()).id];
      const rows = Array.from({ length: 12_000 }, (_, index) => ({
        gateId: gateIds[index % 4 === 0 ? 0 : 1] ?? '',
        decisionId: ulid(started.clock.now()),
        outcome: index % 3 === 0 ? ('bad' as const) : ('good' as const),
        reason: null,
        action: 'allow',
        ruleIds: [],
        domain: 'example.com',
      }));
      await createOutcomesStore(started.db).write(rows);
      const browser = await signedIn(started, { accountId });
      const { json } = await browser.call<{ data: { outcomes: object } }>('GET', '/production/overview?range=7d');
      assert.deepEqual(json.data.outcomes, {
        allow: { good: 8_000, bad: 4_000 },
        block: { good: 0, bad: 0 },
        challenge: { good: 0, bad: 0 },
      });
    });

    it('the metric counts reported outcomes', async () => {
      const { text } = await started.request('GET', '/metrics');
      assert.match(text, /^signalpost_outcomes_total\{outcome="bad"\} [1-9]/m);
      assert.match(text, /^signalpost_outcomes_total\{outcome="good"\} [1-9]/m);
    });
  });

  describe('204', () => {
    it('DELETE removes an outcome, and succeeds without one [D441]', async () => {
      const { id } = await client.createGate();
      const decision = await decide(id, 'jane@example.com');
      await set(id, decision, { outcome: 'bad' });
      assert.deepEqual([(await clear(id, decision)).status, (await clear(id, decision)).status], [204, 204]);
      assert.deepEqual(await read(id, decision), [null, null]);
    });
  });

  describe('200, in the console', () => {
    it('previews outcomes: counts what they match, and stores none', async () => {
      const browser = await signedIn(started);
      const { id } = await client.createGate();
      const decision = await decide(id, 'jane@preview.example');
      const outcomes = [
        { email: 'JANE+x@preview.example', outcome: 'bad' },
        { email: 'joe@preview.example', outcome: 'bad' },
      ];
      const { status, json } = await browser.call('POST', '/production/outcomes/preview', { body: { outcomes } });
      assert.equal(status, 200);
      assert.deepEqual(json, { data: { matched: 1, decisions: 1, unmatched: [1] } });
      assert.deepEqual(await read(id, decision), [null, null]);
    });
  });

  describe('204, in the console', () => {
    it('removes the outcomes of many decisions, and none of another environment', async () => {
      const browser = await signedIn(started);
      const [one, two] = [(await client.createGate()).id, (await client.createGate()).id];
      const made = [
        { gate_id: one, decision_id: await decide(one, 'a@undo.example') },
        { gate_id: two, decision_id: await decide(two, 'b@undo.example') },
        { gate_id: two, decision_id: await decide(two, 'c@undo.example') },
      ];
      await report(made.map(({ decision_id }) => ({ decision_id, outcome: 'bad' })));
      const remove = (environment: string, decisions: readonly object[]) =>
        browser.call('POST', `/${environment}/outcomes/remove`, { body: { decisions } });
      const outcomes = async () =>
        (await Promise.all(made.map(({ gate_id, decision_id }) => read(gate_id, decision_id)))).map(([name]) => name);
      assert.equal((await remove('staging', made)).status, 204);
      assert.deepEqual(await outcomes(), ['bad', 'bad', 'bad']);
      assert.equal((await remove('production', made.slice(0, 2))).status, 204);
      assert.deepEqual(await outcomes(), [null, null, 'bad']);
      const many = Array.from({ length: 1_001 }, () => made[0] ?? {});
      assert.equal((await remove('production', many)).status, 422);
    });
  });

  describe('403', () => {
    it('rejects a plan without gates', async () => {
      const { keys } = await started.createAccount({ plan: 'free' });
      const free = gateClient(started, keys.production);
      assert.equal((await free.call('POST', '/v1/outcomes', { outcomes: [] })).status, 403);
    });
  });

  describe('404', () => {
    it('rejects unknown gates and decisions, and a decision of another gate or environment [D441]', async () => {
      const { id } = await client.createGate();
      const decision = await decide((await client.createGate()).id, 'jane@example.com');
      started.clock.advance(1_000);
      for (const unknown of [decision, '01K00000000000000000000000', 'nonsense']) {
        assert.equal((await set(id, unknown, { outcome: 'bad' })).json.error, 'decision_not_found');
        assert.equal((await clear(id, unknown)).json.error, 'decision_not_found');
      }
      assert.equal((await set('nonsense', decision, { outcome: 'bad' })).json.error, 'gate_not_found');
      const staging = gateClient(started, started.keys.staging);
      const path = `/v1/gates/${id}/decisions/${decision}/outcome`;
      assert.equal((await staging.call('PUT', path, { outcome: 'bad' })).json.error, 'gate_not_found');
    });
  });

  describe('422', () => {
    it('PUT rejects other outcomes, long reasons and unknown fields', async () => {
      const { id } = await client.createGate();
      const decision = await decide(id, 'jane@example.com');
      for (const [body, field] of [
        [{}, 'outcome'],
        [{ outcome: 'none' }, 'outcome'],
        [{ outcome: 'bad', reason: 'x'.repeat(201) }, 'reason'],
        [{ outcome: 'bad', reason: 7 }, 'reason'],
        [{ outcome: 'bad', reason: '\u0000' }, 'reason'],
        [{ outcome: 'bad', note: 'x' }, 'note'],
        ['bad', 'body'],
      ] as const) {
        const { status, json } = await set(id, decision, body);
        assert.deepEqual([status, Object.keys(json.errors ?? {})], [422, [field]]);
      }
    });

    it('POST rejects invalid items as a whole, and stores none [D442]', async () => {
      const { id } = await client.createGate();
      const decision_id = await decide(id, 'jane@example.com');
      const valid = { decision_id, outcome: 'bad' };
      for (const [item, path] of [
        [{ email: 'nonsense', outcome: 'bad' }, 'outcomes.1.email'],
        [{ email: null, outcome: 'bad' }, 'outcomes.1.email'],
        [{ decision_id: 7, outcome: 'bad' }, 'outcomes.1.decision_id'],
        [{ outcome: 'bad' }, 'outcomes.1'],
        [{ decision_id, email: 'a@example.com', outcome: 'bad' }, 'outcomes.1.email'],
        [{ decision_id }, 'outcomes.1.outcome'],
        [null, 'outcomes.1'],
      ] as const) {
        const { status, json } = await report([valid, item]);
        assert.deepEqual([status, json.error, Object.keys(json.errors ?? {})], [422, 'validation_failed', [path]]);
      }
      assert.equal((await report(undefined)).status, 422);
      assert.equal((await report(Array.from({ length: 1_001 }, () => valid))).status, 422);
      assert.deepEqual(await read(id, decision_id), [null, null]);
    });

    it('the log rejects an unknown outcome', async () => {
      const { json } = await client.call('GET', '/v1/decisions?outcome=ugly');
      assert.deepEqual(Object.keys(json.errors ?? {}), ['outcome']);
    });
  });

  describe('removal', () => {
    const prune = async (nowMs: number) => pruneDecisions(log(), createStatsStore(started.db), nowMs, 30);

    it('retention removes outcomes with their decisions [D445]', async () => {
      const { id } = await client.createGate();
      const old = await decide(id, 'old@example.com');
      started.clock.advance(40 * dayMs);
      const recent = await decide(id, 'recent@example.com');
      for (const decision of [old, recent]) await set(id, decision, { outcome: 'bad' });
      assert.ok((await stored()).includes(old));
      await prune(started.clock.now());
      const left = await stored();
      assert.deepEqual([left.includes(old), left.includes(recent)], [false, true]);
    });

    it('removing a gate removes the outcomes of its decisions [D445]', async () => {
      const { id } = await client.createGate();
      const decision = await decide(id, 'jane@example.com');
      await set(id, decision, { outcome: 'bad' });
      await client.call('DELETE', `/v1/gates/${id}`);
      await prune(started.clock.now());
      assert.ok(!(await stored()).includes(decision));
    });
  });
});

await describeEngines('outcomes with hashed addresses', (fresh) => {
  it('an address finds its decisions in every spelling, in rows and in segments', async () => {
    const started = await startApp({ DECISION_LOG_ADDRESSES: 'hashed' }, { database: await fresh(), nowMs: startMs });
    const client = gateClient(started);
    const { id } = await client.createGate();
    for (const email of ['Jane.Doe+1@gmail.com', 'janedoe@googlemail.com', 'joe@gmail.com', 'j.oe@gmail.com']) {
      await client.decide(id, { email });
    }
    const report = async (email: string) => {
      const body = { outcomes: [{ email, outcome: 'good' }] };
      return (await client.call<Applied>('POST', '/v1/outcomes', body)).json.data.decisions;
    };
    assert.equal(await report('j.anedoe@gmail.com'), 2);
    await sealDecisions(createSegmentsStore(started.db), new AbortController().signal, { rows: 2, segments: 2 });
    assert.equal(await report('jane.doe@gmail.com'), 2);
    assert.equal(await report('jo.e+x@gmail.com'), 2);
    assert.equal(await report('joan@gmail.com'), 0);
    const rows = await started.db.read.selectFrom('decision_outcomes').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(rows), /jane|joe/i);
    await started.close();
  });
});
