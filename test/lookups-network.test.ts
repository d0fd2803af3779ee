import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import type { DnsZone } from './dns-zone.ts';
import { eventually } from './eventually.ts';
import { addOwnEntries } from './lists/operator-entries.ts';
import { type RdapServer, startRdapServer } from './rdap-server.ts';
import { realClock, type StartedApp, startApp } from './start-app.ts';

type Signals = Record<string, unknown>;

const zone: DnsZone = {
  'test.dbl.test': { A: ['127.0.0.2'] },
  'spammer.com.dbl.test': { A: ['127.0.1.2'] },
  'mailinator.com.dbl.test': { A: ['127.0.1.2'] },
  'refused.com.dbl.test': { A: ['127.255.255.254'] },
  // A zone that lists every domain is broken and must be ignored.
  'test.all.test': { A: ['127.0.0.2'] },
  'invalid.all.test': { A: ['127.0.0.2'] },
  'fine.com.all.test': { A: ['127.0.0.2'] },
  'shop.com': {
    MX: [
      [20, 'Backup.Mimecast.com.'],
      [10, 'z.own-host.net'],
      [10, 'a.own-host.net'],
      [5, '192.0.2.1'],
    ],
    TXT: ['verification=1', 'v=spf1 redirect=_spf.shop.com'],
  },
  '_spf.shop.com': { TXT: ['v=spf1 ?all'] },
  '_dmarc.shop.com': { TXT: ['v=DMARC1; p=quarantine; sp=reject; pct=1'] },
  'www.shop.com': { A: ['192.0.2.1'] },
};

describe('signals from the network', () => {
  let dns: DnsServer;
  let rdap: RdapServer;
  let started: StartedApp;
  before(async () => {
    [dns, rdap] = await Promise.all([startDnsServer(zone), startRdapServer(['com'])]);
    started = await startApp(
      {
        OFFLINE: 'false',
        DNS_SERVERS: dns.address,
        DNS_DEADLINE_MS: '20000',
        DNSBL_ZONES: 'dbl.test,all.test',
        RDAP_BOOTSTRAP_URL: rdap.bootstrapUrl,
        OUTBOUND_ALLOW: rdap.origin,
      },
      { clock: realClock() },
    );
  });
  after(async () => {
    await started.close();
    await Promise.all([dns.close(), rdap.close()]);
  });
  const get = async (path: string): Promise<Signals> => {
    const { status, json } = await started.request<Signals>('GET', path, { key: started.keys.production });
    assert.equal(status, 200, path);
    return json;
  };

  it('spam is true for a domain in a DNS blocklist zone, its subdomains and addresses, with the zone as evidence [D254]', async () => {
    const paths = ['/domain/spammer.com', '/domain/mail.spammer.com', '/email/a@spammer.com', '/domain/fine.com'];
    const told = await Promise.all(paths.map(async (path) => (await get(path)).spam));
    assert.deepEqual(told, [true, true, true, false]);
    const { explain } = await get('/domain/spammer.com?explain=true');
    const { spam } = explain as Record<string, unknown>;
    assert.deepEqual(spam, { known: true, evidence: [{ source: 'dbl.test', detail: 'listed' }] });
  });

  it('spam is independent of disposable [S34]', async () => {
    const both = await get('/domain/mailinator.com');
    assert.deepEqual([both.disposable, both.spam], [true, true]);
    const one = await get('/domain/spammer.com');
    assert.deepEqual([one.disposable, one.spam], [false, true]);
  });

  it('spam is false when a zone refuses the query or does not respond', async () => {
    assert.equal((await get('/domain/refused.com')).spam, false);
    dns.behave('unanswered.com.dbl.test', 'servfail');
    assert.equal((await get('/domain/unanswered.com')).spam, false);
  });

  it('spam is unknown to a gate while no zone responds, and known when one does', async () => {
    const key = started.keys.production;
    type Gate = { data: { id: string } };
    const gate = await started.request<Gate>('POST', '/v1/gates', { key, body: { name: 'Spam', preset: 'none' } });
    const spamOf = async (domain: string) => {
      const path = `/v1/gates/${gate.json.data.id}/decisions`;
      type Decision = { signals: { domain: { spam: boolean | null } } };
      const { json } = await started.request<Decision>('POST', path, { key, body: { domain } });
      return json.signals.domain.spam;
    };
    const told = await Promise.all(['refused.com', 'spammer.com', 'fine.com'].map(spamOf));
    assert.deepEqual(told, [null, true, false]);
  });

  it("an operator's entry is spam, whatever the zones say", async () => {
    await addOwnEntries(started, 'spam', ['refused.com']);
    assert.equal((await get('/domain/refused.com')).spam, true);
  });

  it('a lookup returns usable mail hosts in order, providers, SPF by redirect and the published DMARC policy [S22 D88]', async () => {
    const { mx, mx_records, mx_providers, spf, dmarc } = await get('/domain/shop.com');
    assert.deepEqual(
      { mx, mx_records, mx_providers, spf, dmarc },
      {
        mx: true,
        mx_records: [
          { hostname: 'a.own-host.net', priority: 10 },
          { hostname: 'z.own-host.net', priority: 10 },
          { hostname: 'backup.mimecast.com', priority: 20 },
        ],
        mx_providers: [{ slug: 'mimecast', type: 'security_gateway', grade: 'enterprise' }],
        spf: 'neutral',
        dmarc: 'quarantine',
      },
    );
    assert.equal((await get('/domain/www.shop.com')).dmarc, 'reject');
  });

  it('later lookups of the domain and its subdomains have age and authority [S54]', async () => {
    const at = new Date(Date.now() - 4_000 * 86_400_000).toISOString();
    const { promise: after, resolve: answerNow } = Promise.withResolvers<void>();
    rdap.behave('established.com', { kind: 'registered', at, after });
    const first = await get('/domain/established.com');
    assert.deepEqual([first.domain_age_in_days, first.domain_authority], [null, 0]);
    answerNow();
    await eventually(async () => {
      const { domain_age_in_days, domain_authority } = await get('/email/a@mail.established.com');
      assert.deepEqual([domain_age_in_days, domain_authority], [4_000, 38]);
    });
    assert.equal(rdap.requests.get('/rdap/domain/established.com'), 1);
  });

  it('age stays null when the registry does not publish it, and authority is computed without it', async () => {
    rdap.behave('undated.com', { kind: 'no_events' });
    const { domain_age_in_days, domain_authority } = await get('/domain/undated.com?wait=domain_age_in_days');
    assert.deepEqual([domain_age_in_days, domain_authority], [null, 0]);
  });

  it('age stays null when the registry fails, and authority is computed without it', async () => {
    rdap.behave('unlucky.com', { kind: 'error' });
    const { domain_age_in_days, domain_authority } = await get('/domain/unlucky.com?wait=domain_authority');
    assert.deepEqual([domain_age_in_days, domain_authority], [null, 0]);
  });
});
