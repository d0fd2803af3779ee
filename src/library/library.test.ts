import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { type DnsServer, startDnsServer } from '../../test/dns-server.ts';
import { withTopLevel } from '../../test/dns-zone.ts';
import { temporaryDirectory } from '../../test/engines.ts';
import { shareSnapshot } from '../../test/shared-snapshot.ts';
import { openSignals } from './open-signals.ts';
import { runtimeProblem } from './runtime-problem.ts';
import type { GateRule, Signals } from './signals.ts';

const rule = (conditions: GateRule['conditions'], more: Partial<GateRule> = {}): GateRule => ({
  name: 'Rule',
  action: 'block',
  conditions,
  ...more,
});

describe('openSignals', () => {
  const dataDir = temporaryDirectory();
  let dns: DnsServer;
  let signals: Signals;
  before(async () => {
    shareSnapshot(dataDir);
    dns = await startDnsServer(withTopLevel({ 'firm.net': { MX: [[10, 'mail.firm.net']] } }));
    signals = await openSignals({ dataDir, dns: { servers: [dns.address], deadlineMs: 10_000 }, logLevel: 'silent' });
  });
  after(async () => {
    await signals.close();
    await dns.close();
  });

  test('email returns the signals of an address from lists and network', async () => {
    const answer = await signals.email('Jane.Doe+news@firm.net');
    assert.deepEqual([answer?.email, answer?.normalized_email], ['Jane.Doe+news@firm.net', 'jane.doe@firm.net']);
    assert.deepEqual([answer?.mx, answer?.mx_records], [true, [{ hostname: 'mail.firm.net', priority: 10 }]]);
    assert.equal('blocklisted' in (answer ?? {}), false);
  });

  test('domain returns the signals of a domain from lists and network', async () => {
    const answer = await signals.domain('firm.net');
    assert.deepEqual([answer?.domain, answer?.mx, answer?.disposable], ['firm.net', true, false]);
  });

  test('an immediate answer asks the lists only', () => {
    const asked = dns.questions.size;
    const answer = signals.emailNow('joe@mailinator.com');
    assert.deepEqual(
      [answer?.disposable, answer?.disposable_provider, answer?.mx, answer?.mx_records],
      [true, 'mailinator.com', null, []],
    );
    assert.equal(signals.domainNow('gmial.com')?.did_you_mean, 'gmail.com');
    assert.equal(dns.questions.size, asked);
  });

  test('emailNow returns separate values for each address of a domain', () => {
    const first = signals.emailNow('info@gmial.com');
    const second = signals.emailNow('jane+a@gmial.com');
    assert.deepEqual([first?.role_account, first?.did_you_mean], [true, 'info@gmail.com']);
    assert.deepEqual([second?.role_account, second?.did_you_mean], [false, 'jane+a@gmail.com']);
    assert.deepEqual([second?.alias, second?.normalized_email], [true, 'jane@gmial.com']);
  });

  test('emailNow returns the fields of the service in the same order', () => {
    const names = Object.keys(signals.emailNow('joe@mailinator.com') ?? {});
    assert.deepEqual(names.slice(0, 5), ['email', 'normalized_email', 'role_account', 'alias', 'domain']);
    assert.deepEqual(names.slice(-3), ['disposable', 'disposable_provider', 'did_you_mean']);
  });

  test('an answer about neither an address nor a domain is null', async () => {
    assert.deepEqual(
      [signals.emailNow('no-address'), signals.domainNow('a b'), await signals.email('@'), await signals.domain('')],
      [null, null, null, null],
    );
  });

  describe('decisions', () => {
    const noMail = rule([{ field: 'domain.mx', operator: 'equals', value: true }], {
      name: 'Has mail',
      action: 'challenge',
    });

    test("the engine of the library decides by the caller's rules, from network facts", async () => {
      const decision = await signals.decide([noMail], { email: 'jane@firm.net' });
      assert.deepEqual(decision, {
        action: 'challenge',
        matched_rule: { name: 'Has mail', message: null },
        shadow_matched: [],
      });
    });

    test('the engine of the library decides immediately, where unknown values meet no condition', () => {
      assert.equal(signals.decideNow([noMail], { email: 'jane@firm.net' }).action, 'allow');
    });

    test('decideNow applies the signup preset', () => {
      const decision = signals.decideNow('signup', { email: 'joe@mailinator.com', ip: '192.0.2.1' });
      assert.deepEqual([decision.action, decision.matched_rule?.name], ['block', 'Disposable email']);
    });

    test('decideNow returns the default action when no rule matches', () => {
      const rules = { default_action: 'challenge', rules: [] } as const;
      assert.deepEqual(signals.decideNow(rules, { domain: 'firm.net' }), {
        action: 'challenge',
        matched_rule: null,
        shadow_matched: [],
      });
    });

    test('decideNow rejects invalid rules as the API does, with their paths', () => {
      const wrong = [rule([{ field: 'domain.nothing', operator: 'equals', value: true }])];
      const expected = { code: 'validation_failed', errors: /rules\.0\.conditions\.0/ };
      assert.throws(
        () => signals.decideNow(wrong, { domain: 'firm.net' }),
        (error: { code: string; errors: object }) =>
          error.code === expected.code && expected.errors.test(JSON.stringify(error.errors)),
      );
    });

    test('decideNow and decide reject a preset that does not exist', async () => {
      const wrong = JSON.parse('["other", null, 7]') as 'signup'[];
      for (const rules of wrong) {
        const matches = ({ code, errors }: { code: string; errors: { rules: string[] } }) =>
          code === 'validation_failed' && /'signup'/.test(String(errors.rules));
        assert.throws(() => signals.decideNow(rules, { domain: 'firm.net' }), matches);
        await assert.rejects(signals.decide(rules, { domain: 'firm.net' }), matches);
      }
    });

    test('the engine of the library decides nothing about an invalid address', async () => {
      await assert.rejects(signals.decide('signup', { email: 'no-address' }), { code: 'invalid_email' });
      assert.throws(() => signals.decideNow('signup', { email: 'a@firm.net', ip: 'x' }), { code: 'invalid_ip' });
    });
  });
});

test('openSignals rejects invalid options in one error', async () => {
  await assert.rejects(
    openSignals({ dataDir: temporaryDirectory(), dns: { servers: ['no-address'], deadlineMs: 1 } }),
    /DNS_SERVERS must be .*\n.*DNS_DEADLINE_MS must be/,
  );
});

test('openSignals rejects an unknown option and suggests the one that was meant', async () => {
  const offline = JSON.parse('{ "ofline": true }');
  await assert.rejects(openSignals(offline), {
    message: 'openSignals has no option "ofline"; did you mean "offline"?',
  });
  const dns = JSON.parse('{ "dns": { "server": ["9.9.9.9"] } }');
  await assert.rejects(openSignals(dns), { message: /no option "dns.server"; did you mean "servers"\?/ });
});

for (const format of ['esm', 'cjs'] as const) {
  test(`openSignals bundled as ${format} says that it must be marked as external`, async () => {
    const dir = temporaryDirectory();
    await using build = await rolldown({
      input: join(import.meta.dirname, 'open-signals.ts'),
      platform: 'node',
      external: /^[a-z@]/,
      logLevel: 'silent',
    });
    const file = join(dir, `bundle.${format === 'cjs' ? 'cjs' : 'mjs'}`);
    await build.write({ dir, format, entryFileNames: basename(file) });
    const bundle: { openSignals: typeof openSignals } = await import(pathToFileURL(file).href);
    await assert.rejects(bundle.openSignals(), /bundled.*--external:signalpost.*serverExternalPackages/);
  });
}

test('offline, nothing is asked and network facts are unknown', async () => {
  const dataDir = temporaryDirectory();
  shareSnapshot(dataDir);
  const signals = await openSignals({ dataDir, offline: true });
  const answer = await signals.email('joe@mailinator.com');
  assert.deepEqual([answer?.disposable, answer?.mx], [true, null]);
  await signals.close();
});

test('the library rejects Bun and an old Node with a sentence that says what to use', () => {
  assert.match(runtimeProblem({ node: '24.3.0', bun: '1.3.0' }) ?? '', /does not run on Bun .*@signalpost\/client/);
  assert.match(runtimeProblem({ node: '22.1.0' }) ?? '', /needs Node 24 or newer, this is v22\.1\.0/);
  assert.equal(runtimeProblem(process.versions), null);
});
