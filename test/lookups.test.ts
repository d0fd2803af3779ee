import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { openDatabase } from '../src/db/db.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import type { DnsZone } from './dns-zone.ts';
import { temporaryDirectory } from './engines.ts';
import { until, untilAnswer } from './eventually.ts';
import { addOwnEntries } from './lists/operator-entries.ts';
import { type RdapServer, startRdapServer } from './rdap-server.ts';
import { realClock, type StartedApp, startApp, type TestAccount } from './start-app.ts';

type Signals = Record<string, unknown>;

const google = { hostname: 'aspmx.l.google.com', priority: 1 };
const zone: DnsZone = {
  'example.com': { MX: [[0, '.']], TXT: ['v=spf1 -all'] },
  '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] },
  'customer.test': {
    MX: [
      [5, 'ALT1.aspmx.l.google.com.'],
      [1, 'aspmx.l.google.com'],
    ],
    TXT: ['v=spf1 ~all'],
  },
  '_dmarc.customer.test': { TXT: ['v=DMARC1; p=none'] },
  'throwaway-host.test': { MX: [[1, 'mail.mailinator.com']] },
  'bare.test': { A: ['192.0.2.1'] },
  'xn--mnchen-3ya.de': { MX: [[10, 'mx.xn--mnchen-3ya.de']] },
};

const proOnly = ['blocklisted', 'domain_authority', 'tld_trust'];
const domainFields = [
  ...proOnly,
  'did_you_mean',
  'disposable',
  'dmarc',
  'domain',
  'domain_age_in_days',
  'free_subdomain',
  'mx',
  'mx_providers',
  'mx_records',
  'public_domain',
  'relay_domain',
  'spam',
  'spf',
  'status',
].sort();
const emailFields = [...domainFields, 'alias', 'email', 'normalized_email', 'role_account'].sort();

describe('lookups', () => {
  let dns: DnsServer;
  let rdap: RdapServer;
  let started: StartedApp;
  let free: TestAccount;
  before(async () => {
    dns = await startDnsServer(zone);
    rdap = await startRdapServer(['test', 'com']);
    started = await startApp(network(dns, rdap), { clock: realClock() });
    free = await started.createAccount({ plan: 'pro-200k' });
    await started.operator.accounts.setPlan(free.id, 'free');
  });
  after(async () => {
    await started.close();
    await Promise.all([dns.close(), rdap.close()]);
  });
  const pro = (path: string) => started.request<Signals>('GET', path, { key: started.keys.production });

  describe('200', () => {
    it('a domain lookup returns exactly the documented fields [S57 D11]', async () => {
      const { status, json } = await pro('/domain/customer.test');
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(json).sort(), domainFields);
      assert.equal(json.status, 200);
      assert.deepEqual(json.mx_records, [google, { hostname: 'alt1.aspmx.l.google.com', priority: 5 }]);
      assert.equal(json.mx, true);
      assert.deepEqual(json.mx_providers, [{ slug: 'google', type: 'mailbox', grade: 'professional' }]);
      assert.equal(json.spf, 'relaxed');
      assert.equal(json.dmarc, 'none');
    });

    it('an address lookup returns exactly the documented fields [S2 S65]', async () => {
      const { json } = await pro('/email/Jane.Doe+news@customer.test');
      assert.deepEqual(Object.keys(json).sort(), emailFields);
      assert.equal(json.email, 'Jane.Doe+news@customer.test');
      assert.equal(json.normalized_email, 'jane.doe@customer.test');
      assert.equal(json.domain, 'customer.test');
      assert.equal(json.alias, true);
      assert.equal(json.role_account, false);
    });

    it('a plan that is not Pro gets no Pro-only field, not even null [D73]', async () => {
      await untilAnswer(
        async () => (await started.request('GET', '/status', { key: free.keys.production })).json,
        (body) => JSON.stringify(body).includes('"Free"'),
      );
      const { json, status } = await retried(() =>
        started.request<Signals>('GET', '/domain/mailinator.com?explain=true&wait=domain_age_in_days', {
          key: free.keys.production,
        }),
      );
      assert.equal(status, 200);
      assert.deepEqual(
        Object.keys(json).sort(),
        domainFields.filter((field) => !proOnly.includes(field)),
      );
      assert.equal(json.disposable, true);
    });

    it('mx is false for a null MX [D249]', async () => {
      const { json } = await pro('/domain/example.com');
      assert.deepEqual([json.mx, json.mx_records, json.spf, json.dmarc], [false, [], 'strict', 'reject']);
    });

    it('mx is false for a name or record that does not exist [D83]', async () => {
      for (const name of ['nowhere.test', 'bare.test']) {
        const { json } = await pro(`/domain/${name}`);
        assert.deepEqual([json.mx, json.mx_records, json.spf, json.dmarc], [false, [], 'missing', 'missing'], name);
      }
    });

    it('include_mx=false sends no MX query and omits mx and mx_records [S21 S23 D78]', async () => {
      for (const value of ['false', 'FALSE', '0']) {
        const { json } = await pro(`/domain/quiet-${value.toLowerCase()}.test?include_mx=${value}`);
        assert.deepEqual(
          Object.keys(json).sort(),
          domainFields.filter((field) => !['mx', 'mx_records'].includes(field)),
        );
        assert.deepEqual(json.mx_providers, []);
        assert.equal(dns.questions.get(`quiet-${value.toLowerCase()}.test MX`), undefined);
      }
    });

    it('include_mx=false returns the providers that are already known [D79]', async () => {
      await pro('/domain/customer.test');
      const { json } = await pro('/domain/customer.test?include_mx=false');
      assert.deepEqual(json.mx_providers, [{ slug: 'google', type: 'mailbox', grade: 'professional' }]);
    });

    it('any other include_mx means the default', async () => {
      assert.ok('mx' in (await pro('/domain/customer.test?include_mx=nope')).json);
      assert.ok('mx' in (await pro('/domain/customer.test?include_mx=')).json);
    });

    it('a disposable domain and its subdomains name their provider [S28]', async () => {
      for (const name of ['mailinator.com', 'any.sub.mailinator.com']) {
        const { json } = await pro(`/domain/${name}`);
        assert.deepEqual([json.disposable, json.disposable_provider], [true, 'mailinator.com']);
      }
      assert.ok(!('disposable_provider' in (await pro('/domain/customer.test')).json));
    });

    it('the mail exchanger determines the provider of a disposable domain without a known service', async () => {
      await addOwnEntries(started, 'disposable', ['throwaway-host.test']);
      assert.equal((await pro('/domain/throwaway-host.test')).json.disposable_provider, 'mailinator.com');
    });

    it('a listed address at an ordinary domain is disposable, its domain is not [S40 S41]', async () => {
      await addOwnEntries(started, 'addresses', [hash('sha256', 'throwaway@customer.test')]);
      const { json } = await pro('/email/Throwaway%2Bx@customer.test');
      assert.deepEqual([json.disposable, json.disposable_provider], [true, null]);
      assert.equal((await pro('/domain/customer.test')).json.disposable, false);
    });

    it('did_you_mean of an address keeps the local part as submitted [S42 D107]', async () => {
      assert.equal((await pro('/email/Jane.Doe@gmial.com')).json.did_you_mean, 'Jane.Doe@gmail.com');
      assert.equal((await pro('/domain/gmal.com')).json.did_you_mean, 'gmail.com');
    });

    it('a lookup returns an internationalised domain in ASCII [S16]', async () => {
      const { json } = await pro('/domain/M%C3%BCnchen.de.');
      assert.equal(json.domain, 'xn--mnchen-3ya.de');
      assert.equal(json.mx, true);
      assert.deepEqual(json.mx_providers, []);
    });

    it('path values are percent-decoded once, and a plus stays a plus [D108]', async () => {
      assert.equal((await pro('/email/a%2Fb%40customer.test')).json.email, 'a/b@customer.test');
      assert.equal((await pro('/email/a+b@customer.test')).json.normalized_email, 'a@customer.test');
      assert.equal((await pro('/email/a%2Bb%40customer.test')).json.email, 'a+b@customer.test');
      assert.equal((await pro('/email/a%252Bb@customer.test')).json.email, 'a%2Bb@customer.test');
    });

    it('explain=true adds a Server-Timing header with the time of each stage', async () => {
      const { headers } = await pro('/domain/mailinator.com?explain=true');
      assert.match(
        headers['server-timing'] ?? '',
        /^queue;dur=\S+, .*facts;dur=\S+, decide;dur=\S+, total;dur=[\d.]+$/,
      );
    });

    it('explain=true adds the reasons of each signal', async () => {
      const { json } = await pro('/domain/mailinator.com?explain=true');
      const explain = json.explain as Record<string, { known: boolean; evidence: { source: string }[] }>;
      assert.equal(explain.disposable?.known, true);
      assert.ok((explain.disposable?.evidence.length ?? 0) > 0);
      assert.ok(!('explain' in (await pro('/domain/mailinator.com')).json));
    });

    it('a lookup costs one credit, and no other request costs any', async () => {
      const account = await started.createAccount({ plan: 'pro-200k' });
      const key = account.keys.staging;
      await started.request('GET', '/domain/customer.test', { key });
      await started.request('HEAD', '/email/a@customer.test', { key });
      await started.request('GET', '/domain/not_valid', { key });
      await started.request('GET', '/status', { key });
      const { json } = await started.request<{ usage: { current: number } }>('GET', '/status', { key });
      assert.equal(json.usage.current, 2);
    });
  });

  describe('registration age', () => {
    const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();

    it('the registration age is null in the first lookup and known in a later one', async () => {
      const { promise: after, resolve: answerNow } = Promise.withResolvers<void>();
      rdap.behave('later.test', { kind: 'registered', at: days(100), after });
      assert.equal((await pro('/domain/later.test')).json.domain_age_in_days, null);
      answerNow();
      const age = await untilAnswer(
        async () => (await pro('/domain/later.test')).json.domain_age_in_days,
        (value) => value !== null,
      );
      assert.equal(age, 100);
    });

    it('wait delays the response until the registration age is known, and ignores spaces and unknown names [S55]', async () => {
      rdap.behave('waited.test', { kind: 'registered', at: days(10) });
      const { json } = await pro('/domain/www.waited.test?wait=nonsense,%20domain_age_in_days%20,domain_age_in_days');
      assert.equal(json.domain_age_in_days, 10);
    });

    it('wait=domain_authority delays the response until the score is known', async () => {
      rdap.behave('scored.test', { kind: 'registered', at: days(3_653) });
      assert.equal((await pro('/domain/scored.test?wait=domain_authority')).json.domain_authority, 38);
    });

    it('a field that is not resolved within the wait is null', async () => {
      rdap.behave('silent.test', { kind: 'silent' });
      const { json, status } = await pro('/domain/silent.test?wait=domain_age_in_days');
      assert.deepEqual([status, json.domain_age_in_days], [200, null]);
    });

    it('the registration age is never negative [D99]', async () => {
      rdap.behave('tomorrow.test', { kind: 'registered', at: days(-0.5) });
      assert.equal((await pro('/domain/tomorrow.test?wait=domain_age_in_days')).json.domain_age_in_days, 0);
    });

    it('the registration age of a tenant of a private suffix is not queried [D100]', async () => {
      const { json } = await pro('/domain/tenant.duckdns.org?wait=domain_age_in_days');
      assert.deepEqual([json.domain_age_in_days, json.free_subdomain], [null, true]);
      assert.ok(![...rdap.requests.keys()].some((path) => path.includes('duckdns')));
    });
  });

  describe('400', () => {
    const badDomains = [
      '%zz',
      '%',
      '%ff',
      '%00',
      'a%0Ab.com',
      '%F0%9F%98%80.com%20',
      '%E2%80%AEmoc.elpmaxe',
      '127.0.0.1',
      '[::1]',
      'localhost',
      'under_score.com',
      'example..com',
      '.example.com',
      'example.com..',
      '-a.com',
      'a-.com',
      'http:%2F%2Fexample.com',
      'example.com:80',
      'exa%20mple.com',
      '1.2.3.4.5',
      'a.123',
      `${'a'.repeat(64)}.com`,
      `${'a.'.repeat(200)}com`,
      'x'.repeat(321),
    ];
    const badAddresses = [
      'plain',
      '@example.com',
      'a@',
      'a@b@example.com',
      'a@localhost',
      'a@[127.0.0.1]',
      'a%zz@example.com',
      'a%00@example.com',
      'a%0A@example.com',
      '.a@example.com',
      'a.@example.com',
      'a..b@example.com',
      'a@example.com.',
      '%20a@example.com',
      'Jane%20%3Ca@example.com%3E',
      'a(c)@example.com',
      '%E2%80%AEa@example.com',
      `${'a'.repeat(65)}@example.com`,
      `a@${'b'.repeat(60)}.${'c'.repeat(300)}`,
    ];
    for (const [path, values, error] of [
      ['/domain', badDomains, 'The domain is invalid.'],
      ['/email', badAddresses, 'The email address is invalid.'],
    ] as const) {
      it(`${path}: every malformed value gets 400 with the documented body [S63 S66]`, async () => {
        for (const value of values) {
          const { status, json } = await pro(`${path}/${value}`);
          assert.deepEqual([status, json], [400, { status: 400, error }], value);
        }
      });
    }
  });

  describe('401 and 429', () => {
    it('a missing key and an unknown key get 401', async () => {
      const unknownKey = await started.request('GET', '/domain/example.com', { key: 'x'.repeat(20) });
      const noKey = await started.request('GET', '/email/%zz');
      for (const { status, json } of [unknownKey, noKey]) {
        assert.deepEqual([status, json], [401, { status: 401, error: 'Unauthorized' }]);
      }
    });
  });

  it('200 concurrent lookups of an uncached domain cost one query per name and type [Q18]', async () => {
    await Promise.all(Array.from({ length: 200 }, () => pro('/domain/stampede.test')));
    const asked = [...dns.questions].filter(([question]) => question.includes('stampede.test'));
    assert.ok(asked.length >= 3, `${asked.length} questions`);
    assert.deepEqual(
      asked.filter(([, count]) => count !== 1),
      [],
    );
  });

  it('signals are null, never false, while DNS does not respond [S20]', async () => {
    dns.behave('mute.test', 'silent');
    dns.behave('_dmarc.mute.test', 'silent');
    const { json, status } = await pro('/email/a@mute.test');
    assert.deepEqual(
      [status, json.mx, json.mx_records, json.mx_providers, json.spf, json.dmarc],
      [200, null, [], [], null, null],
    );
  });

  it('a DNS answer after the deadline is available to a later lookup', async () => {
    let tried = 0;
    const name = () => `tardy-${tried}.test`;
    // Uses another name when the machine stalled and the answer arrived together with the deadline of two seconds.
    await until(async () => {
      tried += 1;
      for (const slow of [name(), `_dmarc.${name()}`, '_dmarc.test']) dns.behave(slow, { slowMs: 3_000 });
      return (await pro(`/domain/${name()}`)).json.mx === null;
    });
    const later = await untilAnswer(
      async () => (await pro(`/domain/${name()}`)).json,
      (json) => json.mx !== null && json.spf !== null,
    );
    assert.deepEqual([later.mx, later.spf], [false, 'missing']);
  });

  it('signals are null, never false, while DNS fails [D84]', async () => {
    for (const behaviour of ['servfail', 'refused', 'broken'] as const) {
      for (const name of [`${behaviour}.test`, `_dmarc.${behaviour}.test`]) dns.behave(name, behaviour);
      const { json } = await pro(`/domain/${behaviour}.test`);
      assert.deepEqual([json.mx, json.mx_records, json.spf, json.dmarc], [null, [], null, null], behaviour);
    }
  });
});

describe('facts', () => {
  it('facts survive a restart and are used while the network does not respond [Q19]', async () => {
    const dns = await startDnsServer(zone);
    const rdap = await startRdapServer(['test']);
    rdap.behave('customer.test', { kind: 'registered', at: '2020-01-01T00:00:00Z' });
    const database = { url: null, dataDir: temporaryDirectory() };
    const variables = network(dns, rdap);
    const started = await startApp(variables, { clock: realClock(), database });
    const path = '/domain/customer.test?wait=domain_age_in_days';
    const key = started.keys.production;
    const before = (await started.request<Signals>('GET', path, { key })).json;
    await started.app.close();
    dns.behave('*', 'silent');
    await rdap.close();
    const again = await startApp(variables, { clock: realClock(), database, existing: key });
    const { json } = await again.request<Signals>('GET', path, { key });
    assert.deepEqual(json, before);
    assert.equal(json.spf, 'relaxed');
    await started.db.close();
    await again.close();
    await dns.close();
  });

  it('stored facts have value, time and source', async () => {
    const dns = await startDnsServer(zone);
    const database = { url: null, dataDir: temporaryDirectory() };
    const started = await startApp({ OFFLINE: 'false', DNS_SERVERS: dns.address }, { clock: realClock(), database });
    await started.request('GET', '/domain/customer.test', { key: started.keys.production });
    await started.app.close();
    const db = await openDatabase(database);
    const rows = await db.read
      .selectFrom('facts')
      .selectAll()
      .where('domain', '=', 'customer.test')
      .orderBy('kind')
      .execute();
    assert.deepEqual(
      rows.map(({ kind, value, source }) => [kind, value, source]),
      [
        ['dmarc', '"none"', 'dns'],
        ['mx', JSON.stringify([google, { hostname: 'alt1.aspmx.l.google.com', priority: 5 }]), 'dns'],
        ['spf', '"relaxed"', 'dns'],
      ],
    );
    assert.ok(rows.every(({ learnt_at }) => learnt_at > Date.now() - 60_000));
    await db.close();
    await started.close();
    await dns.close();
  });
});

function network(dns: DnsServer, rdap: RdapServer): NodeJS.ProcessEnv {
  return {
    OFFLINE: 'false',
    DNS_SERVERS: dns.address,
    DNS_DEADLINE_MS: '2000',
    WAIT_MAX_MS: '1500',
    RDAP_BOOTSTRAP_URL: rdap.bootstrapUrl,
    OUTBOUND_ALLOW: rdap.origin,
  };
}

/** A Free account has one request per second: waits for a token. */
async function retried<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
  return untilAnswer(ask, ({ status }) => status !== 429);
}
