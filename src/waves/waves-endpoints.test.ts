import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeEngines } from '../../test/engines.ts';
import { untilAnswer } from '../../test/eventually.ts';
import { type GateClient, gateClient } from '../../test/gate-client.ts';
import { signedIn } from '../../test/session-api/browser.ts';
import { type StartedApp, startApp } from '../../test/start-app.ts';
import { storeWave } from '../../test/stored-wave.ts';
import { decompressBytes } from '../platform/block-codec.ts';
import { ulid } from '../ulid.ts';

const nowMs = Date.UTC(2026, 10, 15, 14);
const minuteMs = 60_000;
const dayMs = 86_400_000;

interface Rule {
  readonly conditions: readonly { readonly value?: unknown }[];
}

type WireWave = Readonly<Record<string, unknown>> & { readonly id: string; readonly value: string };

await describeEngines('/v1/waves', (fresh) => {
  let started: StartedApp;
  let client: GateClient;
  before(async () => {
    started = await startApp({}, { database: await fresh(), nowMs });
    client = gateClient(started);
  });
  after(() => started.close());

  /** Stores a wave that began some minutes ago; its key is its length. */
  const addWave = (value: string | null, minutesAgo: number, changes: object = {}): Promise<string> => {
    const began = nowMs - minutesAgo * minuteMs;
    return storeWave(started, {
      id: ulid(began).toLowerCase(),
      value,
      key: -(value?.length ?? 0),
      began_at: began,
      last_at: began + minuteMs,
      usual_per_hour: 0.25,
      created_at: began,
      ...changes,
    });
  };
  const silences = () => started.db.read.selectFrom('wave_silences').select(['kind', 'key', 'until']).execute();
  const list = async (query = '') => {
    const { json } = await client.call<{ data: WireWave[]; meta: { next_cursor: string | null } }>(
      'GET',
      `/v1/waves${query}`,
    );
    return json;
  };

  describe('200', () => {
    it('waves are listed newest first, filtered and paged [D420]', async () => {
      await addWave('old.example', 300, { ended_at: nowMs });
      await addWave('203.0.113.0/24', 200, { kind: 'network' });
      await addWave('new.example', 100);
      await addWave(null, 50);
      await addWave('staging.example', 40, { environment: 'staging' });
      const values = async (query?: string) => (await list(query)).data.map(({ value }) => value);
      assert.deepEqual(await values(), ['new.example', '203.0.113.0/24', 'old.example']);
      assert.deepEqual(await values('?state=ended'), ['old.example']);
      assert.deepEqual(await values('?state=open&kind=network'), ['203.0.113.0/24']);
      const between = `?from=${new Date(nowMs - 250 * minuteMs).toISOString()}&to=${new Date(nowMs - 100 * minuteMs).toISOString()}`;
      assert.deepEqual(await values(between), ['203.0.113.0/24']);
      const first = await list('?limit=2');
      assert.equal(first.data.length, 2);
      assert.deepEqual(await values(`?limit=2&cursor=${first.meta.next_cursor}`), ['old.example']);
    });

    it('a wave has every field, its samples and a rule that a gate accepts [D421]', async () => {
      const gate = await client.createGate();
      const shapes = [
        ['domain', 'wave.example'],
        ['mail_server', 'mail.example'],
        ['network', '203.0.113.0/24', 'Networks of waves'],
        ['network', '2001:db8:7::/48', 'Networks of waves'],
        ['shape', 'aaaa.999+a'],
        ['mailbox', 'jane@gmail.com', 'Many spellings of one mailbox'],
        ['device', '0123456789ab', 'Many addresses from one device'],
        ['new_domains', 'new domains', 'Domains first seen yesterday or today'],
      ] as const;
      const created = await client.call<{ data: { id: string } }>('POST', '/v1/lists', { name: 'Created', kind: 'ip' });
      const list = created.json.data;
      for (const [kind, value, name] of shapes) {
        const id = await addWave(value, 30, { kind });
        const { json } = await client.call<{ data: WireWave & { rule: Rule; about: { text: string } } }>(
          'GET',
          `/v1/waves/${id}`,
        );
        const { rule, about, list_entry, ...wave } = json.data;
        assert.ok(about.text.length > 0);
        assert.equal(list_entry !== null, kind === 'network');
        assert.deepEqual(wave, {
          id,
          kind,
          value,
          slow: false,
          stopped: false,
          state: 'open',
          began_at: '2026-11-15T13:30:00+00:00',
          last_at: '2026-11-15T13:31:00+00:00',
          ended_at: null,
          addresses: 9,
          confirmed_bad: 0,
          confirmed_good: 0,
          domains: 1,
          ips: 3,
          allow: 7,
          block: 2,
          challenge: 0,
          usual_per_hour: 0.25,
          verdict: null,
          created_at: '2026-11-15T13:30:00+00:00',
          stopped_by: [],
          samples: [],
        });
        const conditions = rule.conditions.map((each) => (each.value === null ? { ...each, value: list.id } : each));
        assert.equal((await client.addRule(gate.id, { ...rule, conditions })).name, name ?? `Wave: ${value}`);
      }
    });

    it('the verdict fine silences the value for 30 days, another verdict ends the silence [D422]', async () => {
      const id = await addWave('judged.example', 20);
      const judge = async (verdict: string | null) => {
        const { json } = await client.call<{ data: WireWave }>('PATCH', `/v1/waves/${id}`, { verdict });
        return json.data.verdict;
      };
      assert.equal(await judge('fine'), 'fine');
      assert.deepEqual(await silences(), [{ kind: 'domain', key: -14, until: started.clock.now() + 30 * dayMs }]);
      assert.equal(await judge('attack'), 'attack');
      assert.deepEqual(await silences(), []);
      assert.equal(await judge(null), null);
      const wave = await client.call<{ data: object }>('GET', `/v1/waves/${id}`);
      const same = await client.call<{ data: WireWave }>('PATCH', `/v1/waves/${id}`, wave.json.data);
      assert.equal(same.status, 200);
    });

    it('two detections at the same time of the clock both count what is new', async () => {
      const gate = await client.createGate();
      const addresses = async () => {
        await started.app.detectWaves();
        return (await list('?kind=domain')).data.find(({ value }) => value === 'twice.example')?.addresses;
      };
      const decide = (index: number) =>
        client.decide(gate.id, { email: `${'abcdefghij'.slice(index)}.${index}@twice.example` });
      for (let index = 0; index < 8; index += 1) await decide(index);
      assert.equal(await addresses(), 8);
      await decide(8);
      assert.equal(await addresses(), 9);
    });

    it('all allowed decisions of a wave are reported in one step; those with another outcome keep it; undo removes the others [D427]', async () => {
      const gate = await client.createGate();
      const blocking = { conditions: [{ field: 'email.local_part', operator: 'ends_with', value: '.9' }] };
      await client.addRule(gate.id, { name: 'Nines', match: 'all', action: 'block', ...blocking });
      const ids: string[] = [];
      for (let index = 0; index < 10; index += 1) {
        const { meta } = await client.decide(gate.id, {
          email: `${'abcdefghij'.slice(index)}.${index}@let-in.example`,
        });
        ids.push(meta.decision_id);
      }
      const outcomeOf = (id: string) => `/v1/gates/${gate.id}/decisions/${id}/outcome`;
      await client.call('PUT', outcomeOf(ids[0] ?? ''), { outcome: 'good', reason: 'paid' });
      await started.app.detectWaves();
      const wave = (await list('?kind=domain')).data.find(({ value }) => value === 'let-in.example');
      assert.deepEqual([wave?.allow, wave?.block], [9, 1]);
      const path = `/v1/waves/${wave?.id}/outcome`;
      const outcomes = async () => {
        const log = await client.call<{ data: { id: string; outcome: string; outcome_reason: string }[] }>(
          'GET',
          `/v1/gates/${gate.id}/decisions?limit=20`,
        );
        return log.json.data.map(({ outcome, outcome_reason }) =>
          outcome === null ? null : [outcome, outcome_reason],
        );
      };
      for (const [outcome, reported] of [
        ['bad', 8],
        ['bad', 0],
        ['good', 8],
      ] as const) {
        const { json } = await client.call<{ data: { reported: number; decisions: WireWave[] } }>('PUT', path, {
          outcome,
        });
        assert.equal(json.data.reported, reported);
        const {
          decision_id,
          gate_id,
          outcome: first,
        } = json.data.decisions.at(-2) as Readonly<Record<string, unknown>>;
        assert.deepEqual([json.data.decisions.length, decision_id, gate_id, first], [9, ids[1], gate.id, outcome]);
        const expected = [null, ...Array.from({ length: 8 }, () => [outcome, `wave ${wave?.id}`]), ['good', 'paid']];
        assert.deepEqual(await outcomes(), expected);
      }
      const undone = [...Array.from({ length: 9 }, () => null), ['good', 'paid']];
      assert.equal((await client.call('DELETE', path)).status, 204);
      assert.deepEqual(await outcomes(), undone);
      const withoutBody = await client.call<{ data: { reported: number } }>('PUT', path);
      assert.deepEqual([withoutBody.status, withoutBody.json.data.reported], [200, 8]);
      assert.deepEqual((await outcomes())[1], ['bad', `wave ${wave?.id}`]);
      await client.call('DELETE', path);
      assert.deepEqual(await outcomes(), undone);
    });

    it('the rule against a wave names the gate that let most of it in, or received most of it if none got in [D421]', async () => {
      const attacked = await client.createGate();
      const others = [await client.createGate(), await client.createGate()];
      const strict = { conditions: [{ field: 'email.local_part', operator: 'starts_with', value: 'b' }] };
      for (const { id } of [attacked, ...others]) {
        await client.addRule(id, { name: 'Strict', match: 'all', action: 'block', ...strict });
      }
      const browser = await signedIn(started);
      const gateOf = async (domain: string) => {
        const find = async () => {
          await started.app.detectWaves();
          return (await list('?kind=domain')).data.find(({ value }) => value === domain);
        };
        const wave = await untilAnswer(find, (found) => found !== undefined);
        const path = `/production/v1/waves/${wave?.id}/rule`;
        return (await browser.call<{ data: { gate_id: string } }>('GET', path)).json.data.gate_id;
      };
      // Of different lengths, so that they share nothing but the domain.
      const decide = async (gateId: string | undefined, letter: string, count: number, domain: string) => {
        for (let length = 2; length < 2 + count; length += 1) {
          await client.decide(gateId ?? '', { email: `${letter.repeat(length)}.${gateId}@${domain}` });
        }
      };
      await decide(others[0]?.id, 'b', 12, 'attacked.example');
      await decide(attacked.id, 'a', 8, 'attacked.example');
      await decide(others[1]?.id, 'a', 5, 'attacked.example');
      await decide(others[0]?.id, 'b', 3, 'barred.example');
      await decide(attacked.id, 'b', 8, 'barred.example');
      // Reading the log writes what is in the buffer.
      await client.call('GET', '/v1/decisions?limit=1');
      assert.equal(await gateOf('attacked.example'), attacked.id);
      assert.equal(await gateOf('barred.example'), attacked.id);
    });

    it('settings have defaults, and a change leaves the others as they are [D423]', async () => {
      const settings = { enabled: true, min_addresses: 8, factor: 5 };
      const read = await client.call<{ data: object }>('GET', '/v1/waves/settings');
      assert.deepEqual(read.json.data, settings);
      const changed = await client.call<{ data: object }>('PATCH', '/v1/waves/settings', { min_addresses: 12 });
      assert.deepEqual(changed.json.data, { ...settings, min_addresses: 12 });
      await client.call('PATCH', '/v1/waves/settings', { enabled: false, factor: 50 });
      const again = await client.call<{ data: object }>('GET', '/v1/waves/settings');
      assert.deepEqual(again.json.data, { enabled: false, min_addresses: 12, factor: 50 });
      const staging = await gateClient(started, started.keys.staging).call<{ data: object }>(
        'GET',
        '/v1/waves/settings',
      );
      assert.deepEqual(staging.json.data, settings);
    });
  });

  describe('404', () => {
    it('an unknown wave and one of another environment are wave_not_found [D421]', async () => {
      const id = await addWave('theirs.example', 10, { environment: 'staging' });
      for (const path of [id, ulid(nowMs).toLowerCase(), 'x']) {
        const answers = [
          await client.call('GET', `/v1/waves/${path}`),
          await client.call('PATCH', `/v1/waves/${path}`, { verdict: 'fine' }),
          await client.call('PUT', `/v1/waves/${path}/outcome`, { outcome: 'bad' }),
          await client.call('DELETE', `/v1/waves/${path}/outcome`),
        ];
        for (const { status, json } of answers) assert.deepEqual([status, json.error], [404, 'wave_not_found']);
      }
    });
  });

  describe('422', () => {
    it('settings out of range, unknown verdicts and filters are refused by their names [D423]', async () => {
      const id = await addWave('refused.example', 5);
      const refused: [Parameters<GateClient['call']>[0], string, object | undefined, string[]][] = [
        ['PATCH', '/v1/waves/settings', { min_addresses: 7, factor: 51 }, ['min_addresses', 'factor']],
        ['PATCH', '/v1/waves/settings', { min_addresses: 1001, factor: 1 }, ['min_addresses', 'factor']],
        ['PATCH', '/v1/waves/settings', { enabled: 1, other: 2 }, ['enabled', 'other']],
        ['PATCH', `/v1/waves/${id}`, { verdict: 'harmless' }, ['verdict']],
        ['PATCH', `/v1/waves/${id}`, {}, ['verdict']],
        ['PUT', `/v1/waves/${id}/outcome`, { outcome: 'fine' }, ['outcome']],
        ['GET', '/v1/waves?state=over&kind=ip&limit=0', undefined, ['limit', 'state', 'kind']],
        ['GET', '/v1/waves?from=2026-11-02&to=2026-11-01', undefined, ['from']],
      ];
      for (const [method, path, body, fields] of refused) {
        const { status, json } = await client.call(method, path, body);
        assert.deepEqual([status, json.error, Object.keys(json.errors ?? {})], [422, 'validation_failed', fields]);
      }
    });
  });
});

describe('/v1/waves without a decision log', () => {
  it('counts and detects as usual, and has neither samples nor decisions to report', async () => {
    const started = await startApp({ DECISION_LOG_DAYS: '0' }, { nowMs });
    try {
      const client = gateClient(started);
      const gate = await client.createGate();
      const conditions = [{ field: 'traffic.domain.addresses_1h', operator: 'greater_than_or_equal', value: 8 }];
      await client.addRule(gate.id, { name: 'Busy', match: 'all', action: 'block', conditions });
      const actions: string[] = [];
      for (let index = 0; index < 9; index += 1) {
        const email = `${'abcdefghi'.slice(index)}.${index}@unlogged.example`;
        actions.push((await client.decide(gate.id, { email })).decision.action);
      }
      assert.deepEqual(actions, [...Array.from({ length: 7 }, () => 'allow'), 'block', 'block']);
      await started.app.detectWaves();
      const { json } = await client.call<{ data: [WireWave] }>('GET', '/v1/waves');
      const [{ id, value, addresses, allow, block }] = json.data;
      assert.deepEqual([json.data.length, value, addresses, allow, block], [1, 'unlogged.example', 9, 7, 2]);
      const wave = await client.call<{ data: { samples: unknown[] } }>('GET', `/v1/waves/${id}`);
      assert.deepEqual(wave.json.data.samples, []);
      const report = await client.call<{ data: object }>('PUT', `/v1/waves/${id}/outcome`, { outcome: 'bad' });
      assert.deepEqual(report.json.data, { reported: 0, decisions: [] });
      const stored = await started.db.read.selectFrom('waves').selectAll().executeTakeFirstOrThrow();
      const members = await started.db.read.selectFrom('wave_members').select('body').execute();
      const texts = members.map(({ body }) => decompressBytes(body).toString('latin1'));
      assert.doesNotMatch(`${stored.samples}${stored.shared_values}${stored.links}${texts}`, /abc|unlogged/);
    } finally {
      await started.close();
    }
  });
});
