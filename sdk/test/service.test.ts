import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { temporaryDirectory } from '../../test/engines.ts';
import { runJson, type Serving, serveSignalpost } from '../../test/signalpost-process.ts';
import {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionError,
  QuotaExceededError,
  RateLimitError,
  Signalpost,
  ValidationError,
} from '../src/index.ts';
import { thrownBy } from './client.ts';

const plans = [
  { id: 'self-hosted', name: 'Self-hosted', pro: true, credits: 1_000_000, rate_limit: 1_000 },
  { id: 'one-credit', name: 'One credit', pro: true, credits: 1, rate_limit: 1_000 },
  { id: 'free', name: 'Free', pro: false, credits: 1_000, rate_limit: 1 },
];

describe('the client of a real service', () => {
  const directory = temporaryDirectory();
  const env = { DATA_DIR: join(directory, 'data'), PLANS_FILE: join(directory, 'plans.json') };
  let service: Serving;
  let client: Signalpost;
  const clientWith = (apiKey: string | null | undefined) => new Signalpost({ apiKey, baseUrl: service.url });

  const keyOn = async (plan: string): Promise<string> => {
    const account = ['--name', 'Jane', '--email', 'jane@example.com', '--plan', plan];
    const { id } = await runJson<{ id: string }>(['accounts', 'create', ...account], env);
    const words = ['keys', 'create', '--account', id, '--environment', 'production'];
    return (await runJson<{ key: string }>(words, env)).key;
  };

  before(async () => {
    // In a folder that exists, the service finds prepared lists.
    mkdirSync(env.DATA_DIR);
    writeFileSync(env.PLANS_FILE, JSON.stringify(plans));
    service = await serveSignalpost(env);
    client = clientWith(service.keys.development);
  });
  after(async () => {
    await service.stop();
    rmSync(directory, { recursive: true });
  });

  test('the client of a real service looks up an address and a domain', async () => {
    const address = await client.email('support+news@yaho.com', { explain: true });
    assert.equal(address.normalized_email, 'support@yaho.com');
    assert.equal(address.did_you_mean, 'support+news@yahoo.com');
    assert.ok(address.explain);
    const domain = await client.domain('mailinator.com', { include_mx: false, wait: ['domain_authority'] });
    assert.equal(domain.disposable, true);
    assert.ok(!('mx' in domain));
  });

  test('the client of a real service reads plan and usage', async () => {
    const { account, usage } = await client.status();
    assert.equal(account.plan.name, 'Self-hosted');
    assert.equal(usage.remaining, usage.limit - usage.current);
  });

  test('the client of a real service keeps the blocklist', async () => {
    assert.equal((await client.blocklist.add('bücher.example')).domain, 'xn--bcher-kva.example');
    const { succeeded, errors } = await client.blocklist.addMany(['one.example', 'two.example', 'no domain']);
    assert.deepEqual([succeeded, errors.map(({ domain }) => domain)], [2, ['no domain']]);
    const listed = await Array.fromAsync(client.blocklist.list({ per_page: 1 }), ({ domain }) => domain);
    assert.deepEqual(listed.sort(), ['one.example', 'two.example', 'xn--bcher-kva.example']);
    assert.equal((await client.blocklist.list({ per_page: 2 })).meta.last_page, 2);
    assert.equal((await client.blocklist.get('one.example')).domain, 'one.example');
    await client.blocklist.remove('one.example');
    const gone = await thrownBy(client.blocklist.get('one.example'), NotFoundError);
    assert.equal(gone.code, 'domain_not_listed');
    const twice = await thrownBy(client.blocklist.add('two.example'), ValidationError);
    assert.equal(twice.code, 'already_blocklisted');
    assert.deepEqual(Object.keys(twice.fields), ['domain']);
  });

  test('the client of a real service makes gates and rules, asks them, and reads what they decided', async () => {
    const gate = await client.gates.create({ name: 'Signup', preset: 'none' });
    const isGmail = [{ field: 'domain.name', operator: 'equals', value: 'gmail.com' }];
    const first = await client.gates.rules.create(gate.id, { name: 'A', action: 'block', conditions: isGmail });
    const second = await client.gates.rules.create(gate.id, { name: 'B', action: 'challenge', conditions: isGmail });
    await client.gates.rules.order(gate.id, [second.id, first.id]);
    assert.deepEqual(
      (await client.gates.rules.list(gate.id)).map(({ name }) => name),
      ['B', 'A'],
    );
    await client.gates.rules.update(gate.id, first.id, {
      name: 'No free mail',
      message: 'Please use your work address.',
    });
    assert.equal((await client.gates.rules.get(gate.id, first.id)).name, 'No free mail');

    const { decision, meta } = await client.gates.decide(gate.id, { email: 'jane@gmail.com', ip: '203.0.113.7' });
    assert.deepEqual([decision.action, decision.matched_rule?.message], ['block', 'Please use your work address.']);
    await client.gates.decide(gate.id, { domain: 'example.com' });
    const log = await Array.fromAsync(
      client.gates.decisions.list(gate.id, { limit: 1 }),
      (entry) => entry.decision.action,
    );
    assert.deepEqual(log.sort(), ['allow', 'block']);
    assert.equal((await client.gates.decisions.get(gate.id, meta.decision_id)).input.email, 'jane@gmail.com');
    assert.equal((await client.gates.stats(gate.id)).actions.block, 1);

    assert.deepEqual(await client.outcomes.bad(meta.decision_id, 'spam'), { matched: 1, decisions: 1, unmatched: [] });
    assert.deepEqual((await client.gates.stats(gate.id)).outcomes.block, { good: 0, bad: 1 });
    assert.equal((await client.outcomes.good('j.ane@gmail.com')).decisions, 1);
    const many = [
      { email: 'jane@gmail.com', outcome: 'bad' as const },
      { decision_id: 'none', outcome: 'bad' as const },
    ];
    assert.deepEqual((await client.outcomes.report(many)).unmatched, [1]);
    await thrownBy(client.gates.suggestions(gate.id), ValidationError);
    assert.equal((await client.outcomes.set(gate.id, meta.decision_id, { outcome: 'good' })).outcome, 'good');
    await client.outcomes.delete(gate.id, meta.decision_id);
    assert.equal((await client.gates.decisions.get(gate.id, meta.decision_id)).outcome, null);
    const rules = [{ name: 'All', action: 'allow' as const, conditions: isGmail }];
    assert.equal((await client.gates.backtest(gate.id, { rules })).changed, 1);

    assert.equal((await client.gates.update(gate.id, { name: 'Sign-up' })).name, 'Sign-up');
    assert.equal((await client.gates.get(gate.id)).rules.length, 2);
    const traced = await client.gates.trace(gate.id, { email: 'jane@gmail.com' });
    assert.deepEqual(
      traced.rules.map(({ outcome }) => outcome),
      ['overruled', 'decided'],
    );
    const { revision, rules: current } = await client.gates.revisions.get(gate.id, 'current');
    await client.gates.rules.save(gate.id, { rules: current, default_action: 'block', expected_revision: revision });
    const late = client.gates.rules.save(gate.id, { rules: [], expected_revision: revision });
    assert.equal((await thrownBy(late, ConflictError)).code, 'gate_changed');
    assert.equal((await client.gates.revisions.restore(gate.id, revision)).default_action, 'allow');
    assert.deepEqual(
      await Array.fromAsync(client.gates.revisions.list(gate.id, { limit: 3 }), (one) => one.revision),
      Array.from({ length: revision + 2 }, (_, index) => revision + 2 - index),
    );
    await client.gates.rules.delete(gate.id, second.id);
    assert.ok((await client.gates.fields()).some(({ path }) => path === 'domain.name'));
    const listed = await Array.fromAsync(client.gates.list({ limit: 1 }), ({ id }) => id);
    // The first start created the other one.
    assert.deepEqual([listed[0], listed.length], [gate.id, 2]);
    await client.gates.delete(gate.id);
    assert.equal((await thrownBy(client.gates.get(gate.id), NotFoundError)).code, 'gate_not_found');
  });

  describe('knows the errors of each family by their codes:', () => {
    test('the client knows the errors of a real service by their codes: lookups', async () => {
      assert.equal((await thrownBy(client.email('no-address'), BadRequestError)).code, 'invalid_email');
      assert.equal((await thrownBy(client.domain('no domain'), BadRequestError)).code, 'invalid_domain');
      const error = await thrownBy(clientWith('sp_dev_wrong').status(), AuthenticationError);
      assert.equal(error.code, 'unauthorized');
      assert.match(error.requestId ?? '', /^[0-9A-Z]{26}$/);
    });

    test('the client knows the errors of a real service by their codes: the blocklist', async () => {
      assert.equal((await thrownBy(client.blocklist.add('no domain'), ValidationError)).code, 'invalid_domain');
      const missing = await thrownBy(clientWith(null).blocklist.list(), AuthenticationError);
      const wrong = await thrownBy(clientWith('sp_dev_wrong').blocklist.list(), AuthenticationError);
      assert.deepEqual([missing.code, wrong.code], ['unauthorized', 'unauthorized']);
    });

    test('the client knows the errors of a real service by their codes: Gates', async () => {
      const { code, fields } = await thrownBy(client.gates.create({ name: '' }), ValidationError);
      assert.deepEqual([code, Object.keys(fields)], ['validation_failed', ['name']]);
    });

    test('the client knows the errors of a real service by their codes: a plan that is not Pro', async () => {
      const { code } = await thrownBy(clientWith(await keyOn('free')).blocklist.list(), PermissionError);
      assert.equal(code, 'pro_only');
    });

    test('the client knows the errors of a real service by their codes: a plan whose credits are used up', async () => {
      const poor = clientWith(await keyOn('one-credit'));
      const gate = await poor.gates.create({ name: 'Signup' });
      const decide = () => poor.gates.decide(gate.id, { email: 'jane@example.com' });
      await decide();
      const { code, attempts } = await thrownBy(decide(), QuotaExceededError);
      assert.deepEqual([code, attempts], ['quota_exceeded', 1]);
    });
  });

  test('the client of a real service gets every answer although it asks faster than its plan allows', async () => {
    const slow = clientWith(await keyOn('free'));
    for (let asked = 0; asked < 3; asked += 1) assert.equal((await slow.status()).account.plan.rate_limit, 1);
    const many = Array.from({ length: 10 }, () => slow.status({ maxAttempts: 1 }));
    assert.equal((await thrownBy(Promise.all(many), RateLimitError)).retryAfterMs, 1_000);
  });
});
