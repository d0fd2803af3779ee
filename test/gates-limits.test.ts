import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import { temporaryDirectory } from './engines.ts';
import { gateClient, type WireDecision, type WireError } from './gate-client.ts';
import { type RdapServer, startRdapServer } from './rdap-server.ts';
import { realClock, type StartedApp, startApp } from './start-app.ts';

describe('limits of decisions', () => {
  let started: StartedApp;
  before(async () => {
    const plansFile = join(temporaryDirectory(), 'plans.json');
    const plans = [
      { id: 'self-hosted', name: 'Self-hosted', pro: true, credits: 1_000_000, rate_limit: 10_000 },
      { id: 'tiny', name: 'Tiny', pro: true, credits: 3, rate_limit: 100 },
    ];
    writeFileSync(plansFile, JSON.stringify(plans));
    const variables = { PLANS_FILE: plansFile, IP_BLOCK_AFTER: '5', IP_BLOCK_LOOPBACK: 'true' };
    started = await startApp(variables, { nowMs: Date.UTC(2026, 10, 15, 23, 0, 0) });
  });
  after(() => started.close());

  const post = <T>(version: string, gate: string, key: string, body: object, remoteAddress = '192.0.2.1') =>
    started.request<T>('POST', `/${version}/gates/${gate}/decisions`, { key, body, remoteAddress });

  for (const [version, code] of [
    ['v1', 'quota_exceeded'],
    ['v0', 'rate_limit_exceeded'],
  ] as const) {
    it(`decisions ${version}: answers exhausted credits with 429 ${code} without Retry-After, after the checks of input and gate [Q70]`, async () => {
      const { keys } = await started.createAccount({ plan: 'tiny' });
      const { id } = await gateClient(started, keys.production).createGate();
      const ask = (body: object, gate = id) => post<WireError>(version, gate, keys.production, body);
      assert.equal((await ask({ domain: 'gmail.com' })).status, 200);
      const dear = await ask({ domain: 'gmail.com', ip: '8.8.8.8' });
      assert.deepEqual([dear.status, dear.json.error], [429, code]);
      assert.match(dear.json.message, /^This costs 3 credits and 2 are left\./);
      assert.equal(dear.json.meta, undefined);
      assert.equal(dear.headers['retry-after'], undefined);
      assert.equal((await ask({ domain: 'gmail.com' })).status, 200);
      assert.equal((await ask({ domain: 'gmail.com' })).status, 200);
      assert.equal((await ask({ domain: 'gmail.com' })).json.error, code);
      assert.equal((await ask({ domain: '' })).json.error, 'invalid_domain');
      assert.equal((await ask({ domain: 'gmail.com' }, '01k00000000000000000000000')).json.error, 'gate_not_found');
      const log = await gateClient(started, keys.production).call<{ data: unknown[] }>(
        'GET',
        `/v1/gates/${id}/decisions`,
      );
      assert.equal(log.json.data.length, 3);
    });
  }

  it('an account without credits gets traces of logged decisions only', async () => {
    const { keys } = await started.createAccount({ plan: 'tiny' });
    const client = gateClient(started, keys.production);
    const { id } = await client.createGate();
    const { meta } = await client.decide(id, { domain: 'gmail.com' });
    const ask = async (body: object, gate = id) => {
      const { status, json, headers } = await client.call('POST', `/v1/gates/${gate}/trace`, body);
      return [status, json.error, headers['retry-after']];
    };
    assert.deepEqual(await ask({ domain: 'gmail.com', ip: '8.8.8.8' }), [429, 'quota_exceeded', undefined]);
    for (let count = 0; count < 2; count += 1) assert.equal((await ask({ domain: 'gmail.com' }))[0], 200);
    assert.deepEqual(await ask({ domain: 'gmail.com' }), [429, 'quota_exceeded', undefined]);
    assert.deepEqual(await ask({ decision_id: meta.decision_id }), [200, undefined, undefined]);
    assert.deepEqual(await ask({ domain: '' }), [422, 'invalid_domain', undefined]);
    const unknown = '01k00000000000000000000000';
    assert.deepEqual(await ask({ domain: 'gmail.com' }, unknown), [404, 'gate_not_found', undefined]);
  });

  it('an account with overage may continue to decide after its credits are used up', async () => {
    const { keys } = await started.createAccount({ plan: 'tiny', overage: true });
    const { id } = await gateClient(started, keys.production).createGate();
    for (let count = 0; count < 3; count += 1) {
      assert.equal((await post('v1', id, keys.production, { domain: 'gmail.com', ip: '8.8.8.8' })).status, 200);
    }
  });

  it('a blocked IP address gets the same body on v1 and v0, which clients of both can read', async () => {
    const { id } = await gateClient(started).createGate();
    const wrongKey = 'nonsense-nonsense';
    for (let count = 0; count < 5; count += 1) await post('v1', id, wrongKey, {}, '192.0.2.9');
    for (const version of ['v1', 'v0']) {
      const answer = await post(version, id, wrongKey, { domain: 'gmail.com' }, '192.0.2.9');
      assert.deepEqual(
        [answer.status, answer.json],
        [429, { status: 429, error: 'rate_limit_exceeded', message: 'Too many requests' }],
      );
      assert.equal(answer.headers['retry-after'], '300');
    }
  });
});

describe('decisions over the network', () => {
  let dns: DnsServer;
  let rdap: RdapServer;
  let started: StartedApp;
  let gateId: string;
  before(async () => {
    dns = await startDnsServer({
      'customer.test': { MX: [[1, 'aspmx.l.google.com']], TXT: ['v=spf1 -all'] },
      '_dmarc.customer.test': { TXT: ['v=DMARC1; p=reject'] },
      'nomail.test': { MX: [[0, '.']] },
      'young.test': { MX: [[1, 'mx.young.test']] },
      'new.test': { MX: [[1, 'mx.new.test']] },
    });
    rdap = await startRdapServer(['test']);
    const variables = {
      OFFLINE: 'false',
      DNS_SERVERS: dns.address,
      DNS_DEADLINE_MS: '4000',
      RDAP_BOOTSTRAP_URL: rdap.bootstrapUrl,
      OUTBOUND_ALLOW: rdap.origin,
    };
    started = await startApp(variables, { clock: realClock() });
    gateId = (await gateClient(started).createGate({ preset: 'signup' })).id;
  });
  after(async () => {
    await started.close();
    await Promise.all([dns.close(), rdap.close()]);
  });
  const decide = async (body: object, gate = gateId) => {
    const path = `/v1/gates/${gate}/decisions`;
    const { status, json } = await started.request<WireDecision>('POST', path, { key: started.keys.production, body });
    assert.equal(status, 200);
    return json;
  };

  it('the first decision about a domain waits for MX, SPF and DMARC', async () => {
    const { signals, decision } = await decide({ email: 'jane@customer.test' });
    const { mx, mx_records, mx_providers, spf, dmarc } = signals.domain;
    assert.deepEqual(
      { mx, mx_records, mx_providers, spf, dmarc },
      {
        mx: true,
        mx_records: [{ hostname: 'aspmx.l.google.com', priority: 1 }],
        mx_providers: [{ slug: 'google', type: 'mailbox', grade: 'professional' }],
        spf: 'strict',
        dmarc: 'reject',
      },
    );
    assert.equal(decision.action, 'allow');
  });

  it('blocks a domain that is known to have no MX records, with empty lists [D205]', async () => {
    const { signals, decision } = await decide({ domain: 'nomail.test' });
    assert.deepEqual([signals.domain.mx, signals.domain.mx_records, signals.domain.mx_providers], [false, [], []]);
    assert.deepEqual([decision.action, decision.matched_rule?.name], ['block', 'No MX records']);
  });

  it('blocks nothing while DNS fails: the signals are unknown and the lists are null', async () => {
    dns.behave('broken.test', 'silent');
    const { signals, decision } = await decide({ domain: 'broken.test' });
    assert.deepEqual([signals.domain.mx, signals.domain.mx_records, signals.domain.mx_providers], [null, null, null]);
    assert.equal(decision.action, 'allow');
  });

  it('wait delays the decision until the age of the domain is known [D216]', async () => {
    rdap.behave('young.test', { kind: 'registered', at: new Date(Date.now() - 3 * 86_400_000).toISOString() });
    const { signals, decision } = await decide({ email: 'jane@young.test', wait: ['domain_age_in_days'] });
    assert.equal(signals.domain.age_days, 3);
    assert.deepEqual([decision.action, decision.matched_rule?.name], ['challenge', 'Very young domain']);
  });

  it("a gate's own wait delays each of its decisions [D305]", async () => {
    rdap.behave('new.test', { kind: 'registered', at: new Date(Date.now() - 3 * 86_400_000).toISOString() });
    const { id } = await gateClient(started).createGate({ preset: 'signup', wait: ['domain_age_in_days'] });
    const { signals, decision } = await decide({ email: 'jane@new.test' }, id);
    assert.deepEqual([signals.domain.age_days, decision.matched_rule?.name], [3, 'Very young domain']);
  });
});
