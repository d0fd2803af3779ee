import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import type { ZoneRecords } from './dns-zone.ts';
import { temporaryDirectory } from './engines.ts';
import { runJson, runSignalpost } from './signalpost-process.ts';
import { realClock, type StartedApp, startApp } from './start-app.ts';

interface Lookup {
  readonly disposable: boolean;
  readonly disposable_provider?: string | null;
  readonly explain: { readonly disposable: { readonly evidence: readonly object[] } };
}

const server: ZoneRecords = { MX: [[10, 'mx.nowhere-known.net']] };
const unlisted = ['quiet-harbour.com', 'calm-lagoon.com'];

describe('a mail server that twenty listed domains share', () => {
  let dns: DnsServer;
  let started: StartedApp;
  let listed: string[];
  before(async () => {
    dns = await startDnsServer({});
    const variables = { OFFLINE: 'false', DNS_SERVERS: dns.address, DNS_DEADLINE_MS: '20000' };
    started = await startApp(variables, { clock: realClock() });
    const { lists } = started.app.knowledge;
    listed = lists
      .names()
      .filter((name) => lists.isListed('disposable', name))
      .slice(0, 20);
    dns.setZone(Object.fromEntries([...listed, ...unlisted].map((name) => [name, server])));
  });
  after(async () => {
    await started.close();
    await dns.close();
  });
  const lookUp = async (domain: string): Promise<Lookup> => {
    const path = `/domain/${domain}?explain=true`;
    return (await started.request<Lookup>('GET', path, { key: started.keys.production })).json;
  };

  it('an unlisted domain is disposable, with the reason, when twenty listed domains that were looked up share its mail server', async () => {
    assert.equal((await lookUp('quiet-harbour.com')).disposable, false);
    for (const domain of listed) assert.equal((await lookUp(domain)).disposable, true, domain);
    const { mailHosts, buffers = [] } = started.app.knowledge;
    const count = async (): Promise<number | undefined> => {
      for (const buffer of buffers) await buffer.flush();
      return mailHosts?.recount();
    };
    assert.equal(await count(), 1);
    const { disposable, disposable_provider: provider, explain } = await lookUp('calm-lagoon.com');
    assert.deepEqual([disposable, provider], [true, null]);
    const detail = 'shares mail server mx.nowhere-known.net with 20 listed domains';
    assert.deepEqual(explain.disposable.evidence, [{ source: 'dns', detail }]);
  });

  it('LEARN_MAIL_SERVERS=off ignores a mail server that twenty listed domains share', async () => {
    const off = { OFFLINE: 'false', DNS_SERVERS: dns.address, DNS_DEADLINE_MS: '20000', LEARN_MAIL_SERVERS: 'off' };
    const [other] = await runJson<Lookup[]>(['check', 'calm-lagoon.com'], { ...off, DATA_DIR: started.config.dataDir });
    assert.equal(other?.disposable, false);
  });
});

describe('signalpost lists learn', () => {
  const dataDir = temporaryDirectory();
  let dns: DnsServer;
  before(async () => {
    dns = await startDnsServer({});
  });
  after(async () => {
    await dns.close();
    rmSync(dataDir, { recursive: true });
  });
  type Learnt = { total: number; asked: number; up_to: number; done: boolean; servers: number };

  it('signalpost lists learn queries the given number of names, and continues after them the next time', async () => {
    const env = { DATA_DIR: dataDir, OFFLINE: 'false', DNS_SERVERS: dns.address };
    const words = ['lists', 'learn', '--rate', '50', '--limit', '3'];
    const first = await runJson<Learnt>(words, env);
    assert.deepEqual([first.asked, first.up_to, first.done], [3, 3, false]);
    const asked = new Set(dns.questions.keys());
    const second = await runJson<Learnt>(words, env);
    assert.deepEqual([second.asked, second.up_to], [3, 6]);
    const again = [...dns.questions].filter(([key, count]) => key.endsWith(' MX') && asked.has(key) && count > 1);
    assert.deepEqual(again, []);
  });

  it('signalpost lists learn fails offline, or when learning is off', async () => {
    for (const env of [{ OFFLINE: 'true' }, { OFFLINE: 'false', LEARN_MAIL_SERVERS: 'off' }]) {
      const { code, stderr } = await runSignalpost(['lists', 'learn'], { DATA_DIR: dataDir, ...env });
      assert.equal(code, 1);
      assert.match(stderr, /no query was sent/);
    }
  });
});
