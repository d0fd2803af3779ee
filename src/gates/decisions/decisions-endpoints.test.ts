import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeService } from '../../../test/engines.ts';
import {
  blockDomain,
  type GateClient,
  gateClient,
  type WireDecision,
  type WireError,
} from '../../../test/gate-client.ts';
import { type StartedApp, startApp, type TestAccount } from '../../../test/start-app.ts';
import { errorTable } from '../../errors.ts';

const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const missingGate = '01k00000000000000000000000';
const versions = ['v1', 'v0'] as const;

await describeService('decisions', (fresh) => {
  let started: StartedApp;
  let client: GateClient;
  let gateId: string;
  before(async () => {
    started = await startApp({}, { database: await fresh(), nowMs: Date.UTC(2026, 10, 15, 0, 20) });
    client = gateClient(started);
    gateId = (await client.createGate({ preset: 'signup' })).id;
  });
  after(() => started.close());

  const post = <T = WireError>(version: string, body: unknown, key = started.keys.production, gate = gateId) =>
    started.request<T>('POST', `/${version}/gates/${gate}/decisions`, {
      key,
      ...(body === undefined ? {} : { body }),
    });
  const usage = async ({ keys }: TestAccount): Promise<number> => {
    const { json } = await started.request<{ usage: { current: number } }>('GET', '/status', { key: keys.production });
    return json.usage.current;
  };

  for (const version of versions) {
    describe(`${version}: 200`, () => {
      it(`${version} decision 200: answers with the input, the decision, every signal and where it came from [S8 S122 D177 D203 D206 D217 D223]`, async () => {
        const { status, json, headers } = await post<WireDecision>(version, {
          email: 'Jane.Doe+News@Mailinator.com',
          ip: '8.8.8.8',
        });
        assert.equal(status, 200);
        assert.match(headers['content-type'] ?? '', /^application\/json/);
        assert.deepEqual(Object.keys(json), ['input', 'decision', 'signals', 'meta']);
        assert.deepEqual(json.input, { email: 'Jane.Doe+News@Mailinator.com', ip: '8.8.8.8' });
        const { matched_rule, action } = json.decision;
        assert.equal(action, 'block');
        assert.match(matched_rule?.id ?? '', /^[0-9a-hjkmnp-tv-z]{26}$/);
        assert.deepEqual(
          { ...matched_rule, id: '' },
          {
            id: '',
            name: 'Disposable email',
            message: 'Disposable addresses are not accepted. Please use a permanent one.',
          },
        );
        assert.deepEqual(json.signals.email, {
          address: 'Jane.Doe+News@Mailinator.com',
          normalized: 'jane.doe@mailinator.com',
          local_part: 'Jane.Doe+News',
          local_part_length: 13,
          subaddress: 'News',
          disposable: false,
          role_account: false,
        });
        assert.deepEqual(json.signals.domain, {
          name: 'mailinator.com',
          registrable: 'mailinator.com',
          tld: 'com',
          sld: 'mailinator',
          subdomain: null,
          domain_authority: null,
          tld_trust: 1,
          age_days: null,
          mx: null,
          mx_records: null,
          mx_providers: null,
          spf: null,
          dmarc: null,
          disposable: true,
          disposable_provider: 'mailinator.com',
          public_domain: false,
          relay_domain: false,
          free_subdomain: false,
          spam: false,
          did_you_mean: null,
          blocklisted: false,
        });
        const unknown = { detected: null };
        assert.deepEqual(json.signals.ip, {
          address: '8.8.8.8',
          abuse: unknown,
          // VPN services do not rent where every gigabyte is charged: docs/ip-signals.md.
          anonymity: { proxy: unknown, relay: unknown, tor: unknown, vpn: { detected: false } },
          hosting: { detected: true },
          geo: {
            country: 'United States',
            country_code: 'US',
            continent: 'North America',
            continent_code: 'NA',
            city: null,
          },
          network: { asn: 15169, aso: 'Google LLC', domain: null, type: 'hosting' },
        });
        assert.deepEqual(Object.keys(json.meta), ['version', 'request_id', 'decision_id', 'duration_ms', 'created_at']);
        assert.equal(json.meta.version, version === 'v1' ? '1' : '0.1');
        assert.equal(json.meta.request_id, headers['x-request-id']);
        assert.match(json.meta.decision_id, ulid);
        assert.equal(json.meta.created_at, '2026-11-15T00:20:00+00:00');
      });

      it(`${version} decision 200: a domain has no email signals, and a request without an ip has no ip signals [D204 D218]`, async () => {
        const { json } = await post<WireDecision>(version, { domain: 'Mail.Bücher.co.uk.' });
        assert.deepEqual(json.input, { domain: 'Mail.Bücher.co.uk.' });
        assert.deepEqual([json.signals.email, json.signals.ip], [null, null]);
        const { name, registrable, tld, sld, subdomain } = json.signals.domain;
        assert.deepEqual(
          { name, registrable, tld, sld, subdomain },
          {
            name: 'mail.xn--bcher-kva.co.uk',
            registrable: 'xn--bcher-kva.co.uk',
            tld: 'co.uk',
            sld: 'xn--bcher-kva',
            subdomain: 'mail',
          },
        );
      });

      it(`${version} decision 200: the default action is taken, without a rule, when no rule matches [D192]`, async () => {
        const { json } = await post<WireDecision>(version, { email: 'jane@gmail.com' });
        assert.deepEqual(json.decision, { action: 'allow', matched_rule: null });
      });

      it(`${version} decision 200: null counts as absent; unknown fields, and unknown names in wait, are ignored [D215]`, async () => {
        const body = { email: 'jane@gmail.com', domain: null, ip: null, wait: ['nonsense'], colour: 'red' };
        const { status, json } = await post<WireDecision>(version, body);
        assert.equal(status, 200);
        assert.deepEqual(json.input, { email: 'jane@gmail.com' });
        assert.equal(json.signals.ip, null);
        assert.equal((await post(version, { domain: 'gmail.com', wait: null })).status, 200);
      });

      it(`${version} decision 200: costs 1 credit, 3 with an ip, and 1 with an ip of null [S119 D48]`, async () => {
        const account = await started.createAccount();
        const { id } = await gateClient(started, account.keys.production).createGate();
        const cost = async (body: object) => {
          const before = await usage(account);
          assert.equal((await post(version, body, account.keys.production, id)).status, 200);
          return (await usage(account)) - before;
        };
        assert.equal(await cost({ email: 'jane@gmail.com' }), 1);
        assert.equal(await cost({ domain: 'gmail.com' }), 1);
        assert.equal(await cost({ email: 'jane@gmail.com', ip: null }), 1);
        assert.equal(await cost({ email: 'jane@gmail.com', ip: '2001:db8::1' }), 3);
        assert.equal(await cost({ domain: 'gmail.com', ip: '203.0.113.7' }), 3);
      });
    });

    const inputStatus = version === 'v1' ? 422 : 400;
    describe(`${version}: ${inputStatus}`, () => {
      const both = { email: 'a@example.com', domain: 'example.com' };
      const rows: readonly (readonly [string, unknown, string, (readonly string[])?])[] = [
        ['neither', {}, 'missing_input'],
        ['both null', { email: null, domain: null }, 'missing_input'],
        ['an ip alone', { ip: '8.8.8.8' }, 'missing_input'],
        ['both', both, 'both_email_and_domain_provided'],
        ['both, one of them malformed', { ...both, email: 'x' }, 'both_email_and_domain_provided'],
        ['a malformed address', { email: 'not-an-address' }, 'invalid_email'],
        ['an empty address', { email: '' }, 'invalid_email'],
        ['an address literal', { email: 'a@[1.2.3.4]' }, 'invalid_email'],
        ['a malformed domain', { domain: 'not a domain' }, 'invalid_domain'],
        ['an empty domain', { domain: '' }, 'invalid_domain'],
        ['a malformed ip', { email: 'a@example.com', ip: '1.2.3' }, 'invalid_ip'],
        ['an empty ip', { email: 'a@example.com', ip: '' }, 'invalid_ip'],
        ['an ip with a leading zero', { domain: 'example.com', ip: '01.2.3.4' }, 'invalid_ip'],
        ['the address is judged before the ip', { email: 'x', ip: 'x' }, 'invalid_email'],
        ['an email that is no string', { email: 7 }, 'validation_failed', ['email']],
        ['a domain that is no string', { domain: ['example.com'] }, 'validation_failed', ['domain']],
        ['an ip that is no string', { email: 'a@example.com', ip: 1 }, 'validation_failed', ['ip']],
        [
          'nothing a string',
          { email: {}, domain: 1, ip: false, wait: 'x' },
          'validation_failed',
          ['email', 'domain', 'ip', 'wait'],
        ],
        ['a wait that is no list', { email: 'a@example.com', wait: {} }, 'validation_failed', ['wait']],
        ['a wait of numbers', { email: 'a@example.com', wait: [1] }, 'validation_failed', ['wait']],
        ['no body', undefined, 'validation_failed', ['body']],
        ['an empty body', '', 'validation_failed', ['body']],
        ['a list', [], 'validation_failed', ['body']],
        ['null', 'null', 'validation_failed', ['body']],
        ['a string', '"x"', 'validation_failed', ['body']],
        ['no JSON', '{"email":', 'validation_failed', ['body']],
        ['JSON that is too deep', '['.repeat(100), 'validation_failed', ['body']],
      ];
      for (const [name, body, code, paths] of rows) {
        it(`${version} decision ${inputStatus}: refuses ${name} with ${code} [S118 D211 D212 D213]`, async () => {
          const { status, json, headers } = await post(version, body);
          assert.equal(status, inputStatus);
          assert.equal(json.error, code);
          assert.match(json.message, /^[A-Z].+\.$/);
          assert.deepEqual(json.errors === undefined ? undefined : Object.keys(json.errors), paths);
          assert.deepEqual(json.meta, version === 'v1' ? undefined : { request_id: headers['x-request-id'] });
        });
      }

      it(`${version} decision ${inputStatus}: wrong input is reported before a missing gate, and costs nothing`, async () => {
        const account = await started.createAccount();
        const { status, json } = await post(version, { email: 'x' }, account.keys.production, missingGate);
        assert.deepEqual([status, json.error], [inputStatus, 'invalid_email']);
        assert.equal(await usage(account), 0);
      });
    });

    describe(`${version}: 401`, () => {
      it(`${version} decision 401: refuses a missing and an invalid key`, async () => {
        for (const headers of [{}, { authorization: 'Bearer nonsense-nonsense' }]) {
          const { status, json } = await started.request<WireError>('POST', `/${version}/gates/${gateId}/decisions`, {
            body: {},
            headers,
          });
          assert.deepEqual([status, json.error, json.meta], [401, 'unauthorized', undefined]);
        }
      });
    });

    describe(`${version}: 403`, () => {
      it(`${version} decision 403: refuses a plan without Gates before it looks at the input`, async () => {
        const { keys } = await started.createAccount({ plan: 'free' });
        const { status, json } = await post(version, 'nonsense', keys.production);
        assert.deepEqual([status, json.error, json.meta], [403, 'pro_only', undefined]);
      });
    });

    describe(`${version}: 404`, () => {
      it(`${version} decision 404: refuses a gate that does not exist before it charges credits`, async () => {
        const account = await started.createAccount();
        for (const id of [missingGate, 'nonsense', '%00', '%zz']) {
          const answer = await post(version, { email: 'jane@gmail.com' }, account.keys.production, id);
          const meta = version === 'v1' ? {} : { meta: { request_id: answer.headers['x-request-id'] } };
          assert.deepEqual(
            [answer.status, answer.json],
            [404, { error: 'gate_not_found', message: errorTable.gate_not_found.message, ...meta }],
            id,
          );
        }
        assert.equal(await usage(account), 0);
      });
    });

    describe(`${version}: 413 and 415`, () => {
      it(`${version} decision 413 and 415: refuses a body that is too large, or not sent as JSON [D220]`, async () => {
        const large = await post(version, { email: 'x'.repeat(1_100_000) });
        assert.deepEqual([large.status, large.json.error], [413, 'payload_too_large']);
        const form = await started.request<WireError>('POST', `/${version}/gates/${gateId}/decisions`, {
          key: started.keys.production,
          body: 'email=a@example.com',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        });
        assert.deepEqual([form.status, form.json.error], [415, 'unsupported_media_type']);
      });
    });

    describe(`${version}: 429`, () => {
      it(`${version} decision 429: refuses exhausted throughput with rate_limit_exceeded and when to come back`, async () => {
        const { keys } = await started.createAccount({ plan: 'pro-200k' });
        const { id } = await gateClient(started, keys.production).createGate();
        let answer = await post(version, { email: 'jane@gmail.com' }, keys.production, id);
        for (let count = 0; count < 20 && answer.status === 200; count += 1) {
          answer = await post(version, { email: 'jane@gmail.com' }, keys.production, id);
        }
        assert.deepEqual([answer.status, answer.json.error], [429, 'rate_limit_exceeded']);
        assert.equal(answer.json.meta, undefined);
        assert.equal(answer.headers['retry-after'], '1');
        assert.equal(answer.headers['x-ratelimit-limit'], '15');
        assert.equal(answer.headers['x-ratelimit-remaining'], '0');
      });
    });
  }

  describe('v0: a wrong path or method', () => {
    it('v0: a wrong path or method is answered with the default body of the framework', async () => {
      for (const [method, path] of [
        ['GET', `/v0/gates/${gateId}/decisions`],
        ['POST', '/v0/gates'],
        ['GET', '/v0'],
      ] as const) {
        const { status, json } = await started.request(method, path, { key: started.keys.production });
        assert.deepEqual(
          [status, json],
          [404, { message: `Route ${method}:${path} not found`, error: 'Not Found', statusCode: 404 }],
        );
      }
    });
  });

  describe('rules over the wire', () => {
    const domain = 'example.com';
    const decide = (gate: string) => client.decide(gate, { domain });

    it('the last match wins, stop is final, disabled rules are skipped and shadow rules never decide [D186 D190 D191]', async () => {
      const { id } = await client.createGate();
      const rule = (name: string, action: string, more: object = {}) =>
        client.addRule(id, { ...blockDomain(domain), name, action, ...more });
      await rule('first', 'block');
      await rule('second', 'challenge');
      await rule('other', 'block', { conditions: [{ field: 'domain.tld', operator: 'equals', value: 'org' }] });
      assert.equal((await decide(id)).decision.matched_rule?.name, 'second');
      await rule('shadow', 'allow', { mode: 'shadow', stop: true });
      await rule('disabled', 'allow', { enabled: false });
      assert.equal((await decide(id)).decision.matched_rule?.name, 'second');
      await rule('final', 'allow', { stop: true, position: 1 });
      const { decision } = await decide(id);
      assert.deepEqual([decision.action, decision.matched_rule?.name], ['allow', 'final']);
    });

    it('unknown is not false: a missing MX answer matches neither false nor not true, only is_unknown [D194]', async () => {
      const { id } = await client.createGate();
      await client.addRule(id, {
        name: 'No MX',
        action: 'block',
        conditions: [{ field: 'domain.mx', operator: 'equals', value: false }],
      });
      assert.equal((await decide(id)).decision.action, 'allow');
      await client.addRule(id, {
        name: 'Not known',
        action: 'challenge',
        conditions: [{ field: 'domain.mx', operator: 'is_unknown' }],
      });
      assert.equal((await decide(id)).decision.action, 'challenge');
    });

    it('domain.blocklisted follows the blocklist of the environment [S7]', async () => {
      const { id } = await client.createGate({ preset: 'signup' });
      const listed = { domain: 'listed.example' };
      const action = async () => (await client.decide(id, listed)).decision.action;
      assert.equal(await action(), 'allow');
      await started.request('POST', '/blocklist', { key: started.keys.staging, body: listed });
      assert.equal(await action(), 'allow');
      await started.request('POST', '/blocklist', { key: started.keys.production, body: listed });
      const { decision, signals } = await client.decide(id, { email: 'jane@LISTED.example' });
      assert.deepEqual([decision.action, decision.matched_rule?.name], ['block', 'Blocklisted domain']);
      assert.equal(signals.domain.blocklisted, true);
      await started.request('DELETE', '/blocklist/listed.example', { key: started.keys.production });
      assert.equal(await action(), 'allow');
    });
  });
});
