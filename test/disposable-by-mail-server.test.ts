import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { dataFiles } from './data-files.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import type { DnsZone } from './dns-zone.ts';
import { temporaryDirectory } from './engines.ts';
import { addOwnEntries } from './lists/operator-entries.ts';
import { realClock, type StartedApp, startApp } from './start-app.ts';

interface Lookup {
  readonly disposable: boolean;
  readonly disposable_provider?: string | null;
  readonly explain: { readonly disposable: { readonly evidence: readonly { source: string; detail: string }[] } };
}

/** Fifteen services of the table, evenly spread, each with an unlisted domain. */
const services = dataFiles.disposableMx.entries
  .filter((_, i, all) => i % Math.floor(all.length / 15) === 0)
  .slice(0, 15);
const unlisted = services.map((service, i) => ({ name: `quiet-harbour-${i}.com`, ...service }));

const zone: DnsZone = {
  ...Object.fromEntries(unlisted.map(({ name, mx }) => [name, { MX: [[10, `mx.${mx}`]] }])),
  'half-and-half.com': {
    MX: [
      [10, 'mx.mailinator.com'],
      [20, 'mx.own-host.net'],
    ],
  },
  'without-mail.com': { A: ['192.0.2.1'] },
  'allowed.com': { MX: [[10, 'mx.mailinator.com']] },
  'simplelogin.com': { MX: [[10, 'mx.mailinator.com']] },
  'silent.com': { MX: [[10, 'mx.mailinator.com']] },
  'posteo.de': { MX: [[10, 'mx.mailinator.com']] },
};

describe('an unlisted domain', () => {
  let dns: DnsServer;
  let started: StartedApp;
  before(async () => {
    dns = await startDnsServer(zone);
    const dataDir = temporaryDirectory();
    started = await startApp(
      { OFFLINE: 'false', DNS_SERVERS: dns.address, DNS_DEADLINE_MS: '20000' },
      { clock: realClock(), database: { url: null, dataDir } },
    );
    await addOwnEntries(started, 'allow', ['allowed.com']);
  });
  after(async () => {
    await started.close();
    await dns.close();
  });
  const lookUp = async (domain: string): Promise<Lookup> => {
    const path = `/domain/${domain}?explain=true`;
    const { status, json } = await started.request<Lookup>('GET', path, { key: started.keys.production });
    assert.equal(status, 200, domain);
    return json;
  };

  it('an unlisted domain is disposable when all its mail servers belong to a disposable service, which is the provider and the evidence [D293]', async () => {
    assert.equal(unlisted.length, 15);
    const told = await Promise.all(unlisted.map(({ name }) => lookUp(name)));
    const flagged = told.map((each) => [each.disposable, each.disposable_provider, each.explain.disposable.evidence]);
    const expected = unlisted.map(({ mx, provider }) => [
      true,
      provider,
      [{ source: 'dns', detail: `its mail goes to mx.${mx}, a server of ${provider}` }],
    ]);
    assert.deepEqual(flagged, expected);
  });

  it('an unlisted domain is not disposable when a mail server belongs to another service, or it has none', async () => {
    for (const domain of ['half-and-half.com', 'without-mail.com']) {
      const told = await lookUp(domain);
      assert.deepEqual([told.disposable, told.disposable_provider], [false, undefined], domain);
    }
  });

  it('an unlisted domain is not disposable when it is a relay or the operator allows it [D294]', async () => {
    for (const domain of ['simplelogin.com', 'allowed.com', 'below.allowed.com']) {
      assert.equal((await lookUp(domain)).disposable, false, domain);
    }
  });

  it('an unlisted domain is disposable by its mail server even if it is a well-known mail service [D293]', async () => {
    assert.equal((await lookUp('posteo.de')).disposable, true);
  });

  it('an unlisted domain is not disposable while DNS fails [D295]', async () => {
    dns.behave('silent.com', 'servfail');
    assert.equal((await lookUp('silent.com')).disposable, false);
  });
});
