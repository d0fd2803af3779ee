import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeService } from './engines.ts';
import { eventually } from './eventually.ts';
import { type GateClient, gateClient } from './gate-client.ts';
import { type StartedApp, startApp } from './start-app.ts';

const nowMs = Date.UTC(2026, 10, 15, 14);
const minuteMs = 60_000;

interface WireWave {
  readonly id: string;
  readonly kind: string;
  readonly value: string;
  readonly addresses: number;
  readonly state: string;
  readonly ended_at: string | null;
  readonly [field: string]: unknown;
}

await describeService('waves', (fresh) => {
  let started: StartedApp;
  let client: GateClient;
  let gateId: string;
  before(async () => {
    started = await startApp({}, { database: await fresh(), nowMs });
    client = gateClient(started);
    gateId = (await client.createGate()).id;
  });
  after(() => started.close());

  const list = async (query = ''): Promise<readonly WireWave[]> =>
    (await client.call<{ data: WireWave[] }>('GET', `/v1/waves${query}`)).json.data;

  it('eight addresses at one domain are a wave with their samples and events, until an hour below its threshold [D425 D426]', async () => {
    const hook = { url: 'https://receiver.example/', events: ['traffic.wave.began', 'traffic.wave.ended'] };
    assert.equal((await client.call('POST', '/v1/webhooks', hook)).status, 201);
    for (let index = 0; index < 7; index += 1)
      await client.decide(gateId, { email: `x${'y'.repeat(index)}@nonsense.example`, ip: `198.51.${index}.7` });
    await client.decide(gateId, { email: 'X@nonsense.example' });
    await client.decide(gateId, { email: 'last@mail.nonsense.example' });
    await eventually(async () => assert.equal((await list()).length, 1));
    const [wave] = await list();
    assert.ok(wave);
    const { kind, value, state, addresses, domains, ips, allow, usual_per_hour } = wave;
    assert.deepEqual(
      [kind, value, state, addresses, domains, ips, allow, usual_per_hour],
      ['domain', 'nonsense.example', 'open', 8, 1, 7, 9, 0],
    );
    const { json } = await client.call<{ data: { samples: { email: string; ip: string | null }[] } }>(
      'GET',
      `/v1/waves/${wave.id}`,
    );
    assert.deepEqual(json.data.samples[0]?.email, 'last@mail.nonsense.example');
    assert.equal(json.data.samples.length, 8);
    started.clock.advance(59 * minuteMs);
    await client.decide(gateId, { email: 'again@nonsense.example' });
    await eventually(async () => assert.equal((await list())[0]?.addresses, 9));
    // An hour after the first eight have left the window.
    started.clock.advance(61 * minuteMs);
    await eventually(async () => assert.equal((await list('?state=ended'))[0]?.ended_at, '2026-11-15T16:00:00+00:00'));
    const events = started.db.read.selectFrom('webhook_deliveries').select('event_type').orderBy('id');
    assert.deepEqual(
      (await events.execute()).map(({ event_type }) => event_type),
      ['traffic.wave.began', 'traffic.wave.ended'],
    );
  });

  it('a decision that belongs to an open wave has traffic.in_wave and the wave, until the wave is judged fine [D428]', async () => {
    const conditions = [{ field: 'traffic.in_wave', operator: 'equals', value: true }];
    await client.addRule(gateId, { name: 'Part of a wave', action: 'challenge', mode: 'shadow', conditions });
    const trafficOf = async (email: string) => {
      const { signals } = await client.decide(gateId, { email });
      const { traffic } = signals as typeof signals & { readonly traffic?: Readonly<Record<string, unknown>> };
      return { in_wave: traffic?.in_wave, wave_id: traffic?.wave_id };
    };
    for (let index = 0; index < 8; index += 1)
      assert.deepEqual(await trafficOf(`${'z'.repeat(index + 3)}@in-wave.example`), { in_wave: false, wave_id: null });
    const find = async () => (await list('?state=open')).find(({ value }) => value === 'in-wave.example');
    await eventually(async () => assert.ok(await find()));
    const wave = await find();
    const expected = { in_wave: true, wave_id: wave?.id };
    await eventually(async () => assert.deepEqual(await trafficOf('next@in-wave.example'), expected));
    assert.deepEqual(await trafficOf('next@elsewhere.example'), { in_wave: false, wave_id: null });
    await client.call('PATCH', `/v1/waves/${wave?.id}`, { verdict: 'fine' });
    await eventually(async () => assert.equal((await trafficOf('later@in-wave.example')).in_wave, false));
  });

  it('a wave that follows a jump of the wall clock by five hours has an id, and its decisions are found in the log [D425]', async () => {
    started.clock.set(started.clock.now() + 5 * 60 * minuteMs);
    await client.decide(gateId, { email: 'first@jumped.example' });
    // From now on the clock is believed.
    started.clock.advance(11 * minuteMs);
    for (let index = 0; index < 8; index += 1)
      await client.decide(gateId, { email: `${'w'.repeat(index + 3)}@jumped.example` });
    await eventually(async () => assert.equal((await list('?state=open'))[0]?.value, 'jumped.example'));
    const [wave] = await list('?state=open');
    assert.match(wave?.id ?? '', /^[0-9a-hjkmnp-tv-z]{26}$/);
    const { json } = await client.call<{ data: { samples: object[] } }>('GET', `/v1/waves/${wave?.id}`);
    assert.equal(json.data.samples.length, wave?.addresses);
  });
});
