import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import { temporaryDirectory } from './engines.ts';
import { addOwnEntries } from './lists/operator-entries.ts';
import { type RdapServer, startRdapServer } from './rdap-server.ts';
import { type StartedApp, startApp } from './start-app.ts';

type Signals = Record<string, unknown>;

const plans = [
  { id: 'self-hosted', name: 'Self-hosted', pro: true, credits: 1_000_000_000, rate_limit: 1_000_000 },
  { id: 'two-credits', name: 'Two credits', pro: true, credits: 2, rate_limit: 1_000 },
  { id: 'one-a-second', name: 'One a second', pro: true, credits: 1_000, rate_limit: 1 },
  { id: 'basic', name: 'Basic', pro: false, credits: 1_000, rate_limit: 1_000 },
];

let dns: DnsServer;
let rdap: RdapServer;
let started: StartedApp;
before(async () => {
  [dns, rdap] = await Promise.all([startDnsServer({}), startRdapServer(['com', 'test'])]);
  const plansFile = join(temporaryDirectory(), 'plans.json');
  writeFileSync(plansFile, JSON.stringify(plans));
  started = await startApp({
    PLANS_FILE: plansFile,
    DNS_SERVERS: dns.address,
    DNSBL_ZONES: 'dbl.test',
    RDAP_BOOTSTRAP_URL: rdap.bootstrapUrl,
    OUTBOUND_ALLOW: rdap.origin,
  });
});
after(async () => {
  await started.close();
  await Promise.all([dns.close(), rdap.close()]);
});
const get = (path: string, key = started.keys.production) => started.request<Signals>('GET', path, { key });
const signals = async (path: string): Promise<Signals> => {
  const { status, json } = await get(path);
  assert.equal(status, 200, path);
  return json;
};
/** A field of many lookups, in their order. */
const fields = (name: string, paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => (await signals(path))[name]));
const domains = (name: string, values: readonly string[]) =>
  fields(
    name,
    values.map((value) => `/domain/${value}`),
  );

describe('signals from lists and tables', () => {
  it('a public mail service is a public domain, its subdomains are not [S30]', async () => {
    const asked = ['gmail.com', 'yahoo.com', 'gmx.de', 'x.gmail.com', 'example.com', 'mailinator.com'];
    assert.deepEqual(await domains('public_domain', asked), [true, true, true, false, false, false]);
    assert.equal((await signals('/email/jane@Gmail.com')).public_domain, true);
  });

  it('a relay is a relay domain, and is never disposable [S31 D104]', async () => {
    const relays = ['privaterelay.appleid.com', 'duck.com', 'mozmail.com', 'x.mozmail.com', 'passmail.net'];
    assert.deepEqual(await domains('relay_domain', [...relays, 'gmail.com', 'appleid.com']), [
      true,
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    for (const name of relays) {
      const json = await signals(`/domain/${name}`);
      assert.equal(json.disposable, false, name);
      assert.ok(!('disposable_provider' in json), name);
    }
  });

  it('a tenant of a free-subdomain or dynamic DNS service is a free subdomain, the service itself is not [S32 S33]', async () => {
    const tenants = [
      'jane.duckdns.org',
      'www.jane.duckdns.org',
      'jane.mooo.com',
      'jane.eu.org',
      'jane.wordpress.com',
      'jane.github.io',
    ];
    const others = [
      'duckdns.org',
      'mooo.com',
      'eu.org',
      'wordpress.com',
      'github.io',
      'jane.myshopify.com',
      'www.example.com',
    ];
    assert.deepEqual(
      await domains('free_subdomain', tenants),
      tenants.map(() => true),
    );
    assert.deepEqual(
      await domains('free_subdomain', others),
      others.map(() => false),
    );
  });

  it('subdomains of a disposable domain are disposable, tenants of a listed dynamic DNS suffix are not [D103]', async () => {
    await addOwnEntries(started, 'disposable', ['amazonaws.com']);
    const asked = [
      'x.mailinator.com',
      'a.b.c.yopmail.com',
      'x.amazonaws.com',
      'x.s3.amazonaws.com',
      'jane.duckdns.org',
    ];
    assert.deepEqual(await domains('disposable', asked), [true, true, true, false, false]);
  });

  it('disposable_provider is the primary domain of the service, or null when unknown [S29]', async () => {
    await addOwnEntries(started, 'disposable', ['nobodys-bin.com']);
    const asked = ['mailinator.com', 'sharklasers.com', 'x.nobodys-bin.com'];
    assert.deepEqual(await domains('disposable_provider', asked), ['mailinator.com', 'guerrillamail.com', null]);
    assert.equal((await signals('/email/a@sharklasers.com')).disposable_provider, 'guerrillamail.com');
  });

  it('spam and disposable are independent', async () => {
    await addOwnEntries(started, 'spam', ['spammer.example', 'yopmail.com']);
    const asked = ['spammer.example', 'x.spammer.example', 'yopmail.com', 'mailinator.com', 'example.com'];
    assert.deepEqual(await domains('spam', asked), [true, true, true, false, false]);
    assert.deepEqual(await domains('disposable', asked), [false, false, true, true, false]);
  });

  it('tld_trust is that of the longest suffix, or null for a TLD that does not exist [S18 D102]', async () => {
    const asked = [
      'a.com',
      'a.fr',
      'a.no',
      'a.uk',
      'a.co.uk',
      'a.gov.uk',
      'a.com.au',
      'a.edu.au',
      'a.bank',
      'a.nosuch',
    ];
    assert.deepEqual(await domains('tld_trust', asked), [1, 2, 4, 2, 2, 5, 4, 5, 5, null]);
  });

  it('the address of a function is a role account, that of a person is not [S44]', async () => {
    const asked = ['info', 'SUPPORT', 'postmaster%2Bx', '%22sales%22', 'datenschutz', 'jane', 'informed', 'info.jane'];
    const paths = asked.map((local) => `/email/${local}@example.com`);
    assert.deepEqual(await fields('role_account', paths), [true, true, true, true, true, false, false, false]);
  });

  it('an address with a plus in its local part is an alias [S43 D109]', async () => {
    const asked = ['jane+x', 'jane+', '+x', '%22a+b%22', 'jane', 'jane-x'].map(
      (local) => `/email/${local}@example.com`,
    );
    assert.deepEqual(await fields('alias', asked), [true, true, true, true, false, false]);
  });

  it('a lookup returns the address as submitted, with normalised domain and normalised address [S37 S39]', async () => {
    const json = await signals('/email/Jane.D%2BX@GoogleMail.com');
    assert.deepEqual(
      [json.email, json.normalized_email, json.domain],
      ['Jane.D+X@GoogleMail.com', 'janed@gmail.com', 'googlemail.com'],
    );
    const quoted = await signals(`/email/${encodeURIComponent('"Jörg"@MÜNCHEN.de')}`);
    assert.deepEqual(
      [quoted.email, quoted.normalized_email, quoted.domain],
      ['"Jörg"@MÜNCHEN.de', 'jörg@xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
    );
  });

  it('did_you_mean suggests a domain for a misspelling only, never for a known name [S35]', async () => {
    const asked = ['gmial.com', 'hotmial.com', 'gmail.com', 'gmx.net', 'duck.com', 'mailinator.com', 'example.com'];
    assert.deepEqual(await domains('did_you_mean', asked), ['gmail.com', 'hotmail.com', null, null, null, null, null]);
    const address = await signals('/email/%22Jane%20D%22@gmial.com');
    assert.equal(address.did_you_mean, '"Jane D"@gmail.com');
    assert.equal((await signals('/email/jane@gmail.com')).did_you_mean, null);
  });

  it('a response has disposable_provider only when disposable is true [S45]', async () => {
    for (const path of ['/domain/example.com', '/email/a@example.com', '/email/a@gmail.com', '/domain/duck.com']) {
      assert.ok(!('disposable_provider' in (await signals(path))), path);
    }
  });
});

describe('offline', () => {
  it('offline, no query leaves the machine, even with wait: network signals are null with the reason [D251]', async () => {
    const path = '/domain/unheard-of.test?wait=domain_age_in_days,domain_authority&explain=true';
    const { json } = await get(path);
    const { mx, mx_records, mx_providers, spf, dmarc, domain_age_in_days, domain_authority } = json;
    assert.deepEqual(
      { mx, mx_records, mx_providers, spf, dmarc, domain_age_in_days, domain_authority },
      {
        mx: null,
        mx_records: [],
        mx_providers: [],
        spf: null,
        dmarc: null,
        domain_age_in_days: null,
        domain_authority: null,
      },
    );
    const explain = json.explain as Record<string, unknown>;
    for (const name of ['mx', 'spf', 'dmarc', 'domain_age_in_days']) {
      assert.deepEqual(explain[name], { known: false, reason: 'offline' }, name);
    }
    assert.deepEqual([dns.questions.size, rdap.requests.size], [0, 0]);
  });

  it('offline, ranked domains and their subdomains have an authority', async () => {
    assert.deepEqual(await domains('domain_authority', ['google.com', 'mail.google.com']), [100, 100]);
  });
});

describe('the status in the body', () => {
  it('the status in the body of a lookup equals the HTTP status [S15]', async () => {
    const slow = (await started.createAccount({ plan: 'one-a-second' })).keys.production;
    const answers = [
      await get('/domain/example.com'),
      await get('/email/a@example.com'),
      await get('/domain/nope'),
      await get('/email/nope'),
      await get('/domain/example.com', 'x'.repeat(20)),
      await get('/domain/example.com', slow),
      await get('/email/a@example.com', slow),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 400, 400, 401, 200, 429],
    );
    for (const { status, json } of answers) assert.equal(json.status, status);
  });
});

describe('credits', () => {
  it('a lookup costs one credit for a domain or an address; without credits, the body is that of exceeded throughput [D46 D47 D70]', async () => {
    const { production: key } = (await started.createAccount({ plan: 'two-credits' })).keys;
    const used = async () =>
      (await started.request<{ usage: { current: number } }>('GET', '/status', { key })).json.usage.current;
    assert.equal((await get('/domain/example.com', key)).status, 200);
    assert.equal(await used(), 1);
    assert.equal((await get('/email/a@example.com', key)).status, 200);
    assert.equal(await used(), 2);
    const slow = (await started.createAccount({ plan: 'one-a-second' })).keys.production;
    await get('/domain/example.com', slow);
    const [exhausted, fast] = [await get('/domain/example.com', key), await get('/domain/example.com', slow)];
    for (const { status, json } of [exhausted, fast]) {
      assert.deepEqual([status, json], [429, { status: 429, error: 'Too many requests' }]);
    }
    assert.equal(fast.headers['retry-after'], '1');
    assert.equal(exhausted.headers['retry-after'], undefined);
  });
});

describe('a plan that is not Pro', () => {
  it('a plan that is not Pro gets an address without Pro-only fields, reasons or provider', async () => {
    const { production: key } = (await started.createAccount({ plan: 'basic' })).keys;
    const { json } = await get('/email/a@mailinator.com?explain=true', key);
    assert.equal(json.disposable, true);
    for (const field of ['domain_authority', 'tld_trust', 'disposable_provider', 'blocklisted', 'explain']) {
      assert.ok(!(field in json), field);
    }
  });
});

describe('a path value', () => {
  it('a path value of 320 characters is accepted, a longer one is malformed [D8]', async () => {
    // IDNA removes soft hyphens from a domain name, so only the length can be the reason.
    const domain = (length: number) => `/domain/${encodeURIComponent(`example${'\u00ad'.repeat(length - 11)}.com`)}`;
    assert.equal((await signals(domain(320))).domain, 'example.com');
    assert.deepEqual((await get(domain(321))).json, { status: 400, error: 'The domain is invalid.' });
    assert.equal((await get(`/email/${'a'.repeat(309)}@example.com`)).status, 400);
  });

  it('a path value may end with one dot when it is a domain, but not when it is an address [D114]', async () => {
    for (const dot of ['.', '%E3%80%82']) {
      assert.equal((await signals(`/domain/example.com${dot}`)).domain, 'example.com');
      assert.equal((await get(`/domain/example.com${dot}${dot}`)).status, 400);
      assert.equal((await get(`/email/a@example.com${dot}`)).status, 400);
    }
  });

  it('any path value gets 200 or 400, in JSON, with the texts of the contract [Q17]', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.domain(),
      fc.emailAddress(),
      fc.tuple(fc.string({ maxLength: 20 }), fc.domain()).map(([local, domain]) => `${local}@${domain}`),
      fc.constantFrom(
        '__proto__',
        'constructor',
        'toString@valueOf.com',
        '..',
        '.',
        '%',
        '%2e%2e',
        '\ud800',
        'x'.repeat(5_000),
      ),
    );
    const encoded = text.map((value) => encodeURIComponent(value.toWellFormed()));
    // A raw target is what a request line may carry: visible ASCII without what ends the segment (inject takes a backslash
    // for a slash, as browsers do).
    const raw = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) });
    const value = fc.oneof(
      encoded,
      raw.map((target) => target.replaceAll(/[/\\?#]/g, '')),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('domain', 'email'), value, async (family, target) => {
        // An empty segment and dot segments are other paths.
        fc.pre(target !== '' && !/^(?:\.|%2e){1,2}$/i.test(target));
        const { status, json } = await get(`/${family}/${target}`);
        if (status === 200) {
          assert.equal(json.status, 200);
          return;
        }
        const error = family === 'domain' ? 'The domain is invalid.' : 'The email address is invalid.';
        assert.deepEqual([status, json], [400, { status: 400, error }], target);
      }),
      { numRuns: 1_000 },
    );
  });

  it('a valid path value with any query gets 200', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('include_mx', 'wait', 'explain', 'key', '__proto__'),
        fc.string(),
        async (name, value) => {
          const query = `${name}=${encodeURIComponent(value.toWellFormed())}&${name}=1`;
          assert.equal((await get(`/domain/example.com?${query}`)).status, 200);
          assert.equal((await get(`/email/a@example.com?${name}=${value.replaceAll(/[^!-~]|#/g, '')}`)).status, 200);
        },
      ),
      { numRuns: 200 },
    );
  });
});
