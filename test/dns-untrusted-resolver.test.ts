import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { openDatabase } from '../src/db/db.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import { temporaryDirectory } from './engines.ts';
import { eventually } from './eventually.ts';
import { runSignalpost, type Serving, serveSignalpost } from './signalpost-process.ts';
import { realClock, startApp } from './start-app.ts';

/** A resolver without internet access denies every name; no user may be rejected because of its answers. */
describe('a process whose resolver denies every name', () => {
  const dataDir = temporaryDirectory();
  let dns: DnsServer;
  let service: Serving;
  let env: NodeJS.ProcessEnv;
  before(async () => {
    dns = await startDnsServer({ 'gmail.com': { MX: [[5, 'gmail-smtp-in.l.google.com']] } });
    dns.behave('*', 'denying');
    env = { OFFLINE: 'false', DNS_SERVERS: dns.address, DNS_DEADLINE_MS: '20000', DATA_DIR: dataDir };
    service = await serveSignalpost(env);
  });
  after(async () => {
    await service.stop();
    await dns.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  type Decision = { decision: { action: string }; signals: { domain: { mx: boolean | null } } };

  it('a process whose resolver denies every name logs at start which server it is and what to set', async () => {
    await eventually(async () => {
      const line = service
        .stderr()
        .split('\n')
        .find((text) => text.includes('denies names that must exist'));
      assert.ok(line?.includes(dns.address), service.stderr());
      assert.match(line ?? '', /DNS_SERVERS.*OFFLINE=true.*DNS_PROBE=off/);
    });
  });

  it('a process whose resolver denies every name allows jane@gmail.com through the preset gate, because MX is unknown [D290]', async () => {
    const gate = await service.call<{ data: { id: string } }>('POST', '/v1/gates', { name: 'Sign-up' });
    const path = `/v1/gates/${gate.data.id}/decisions`;
    const { decision, signals } = await service.call<Decision>('POST', path, { email: 'jane@gmail.com' });
    assert.deepEqual([decision.action, signals.domain.mx], ['allow', null]);
  });

  it('a process whose resolver denies every name explains why a signal is unknown', async () => {
    type Explained = { mx: null; spf: null; dmarc: null; explain: Record<string, unknown> };
    const { mx, spf, dmarc, explain } = await service.call<Explained>('GET', '/email/jane%40gmail.com?explain=true');
    assert.deepEqual([mx, spf, dmarc], [null, null, null]);
    for (const signal of ['mx', 'spf', 'dmarc']) {
      assert.deepEqual(explain[signal], { known: false, reason: 'untrusted' });
    }
  });

  it('a process whose resolver denies every name is ready, with a remark and a metric', async () => {
    assert.deepEqual(await service.call('GET', '/readyz'), { status: 'ready', dns: 'untrusted' });
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    assert.ok(metrics.includes(`signalpost_dns_server_trusted{server="${dns.address}"} 0`));
    assert.match(metrics, /signalpost_dns_events_total\{event="disbelieved"\} [1-9]/);
  });

  it('a process whose resolver denies every name warns the user of `check`', async () => {
    const { code, stdout, stderr } = await runSignalpost(['check', 'jane@gmail.com', '--json'], env);
    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout)[0].mx, null);
    assert.match(stderr, /denies names that must exist/);
  });

  it('a process whose resolver denies every name trusts it within ten seconds of its recovery, and has stored none of its false answers', async () => {
    dns.behave('*', 'normal');
    await eventually(async () => assert.deepEqual(await service.call('GET', '/readyz'), { status: 'ready' }), 20_000);
    const told = await Promise.all(
      ['gmail.com', 'unknown-name.com'].map((name) => service.call<{ mx: unknown }>('GET', `/domain/${name}`)),
    );
    assert.deepEqual(
      told.map(({ mx }) => mx),
      [true, false],
    );
    assert.match(service.stderr(), /proved itself/);
    const db = await openDatabase({ url: null, dataDir });
    const ofGmail = db.read.selectFrom('facts').select('value').where('domain', '=', 'gmail.com');
    const denials = await ofGmail.where('value', 'in', ['[]', '"missing"']).where('kind', '=', 'mx').execute();
    await db.close();
    assert.deepEqual(denials, []);
  });
});

describe('a service whose resolver starts to deny every name', () => {
  it('a service whose resolver starts to deny every name discards denials since the last successful probe, once a well-known name is denied', async () => {
    const hosts = { MX: [[10, 'mx.shop.com']] as const };
    const dns = await startDnsServer({ 'shop.com': hosts, 'gmail.com': hosts });
    const settings = { OFFLINE: 'false', DNS_SERVERS: dns.address, DNS_DEADLINE_MS: '20000' };
    const started = await startApp(settings, { clock: realClock() });
    const mxOf = async (domain: string): Promise<boolean | null> => {
      const key = started.keys.production;
      return (await started.request<{ mx: boolean | null }>('GET', `/domain/${domain}`, { key })).json.mx;
    };
    const stored = async (): Promise<string[]> => {
      const facts = started.db.read.selectFrom('facts').select('value').where('domain', '=', 'shop.com');
      return (await facts.where('kind', '=', 'mx').execute()).map(({ value }) => value);
    };
    try {
      // On a busy machine the first probe of the resolver may time out; then it is probed again.
      await eventually(async () => assert.equal(await mxOf('unknown-name.com'), false));
      dns.behave('*', 'denying');
      assert.equal(await mxOf('shop.com'), false);
      await eventually(async () => assert.deepEqual(await stored(), ['[]']));
      assert.equal(await mxOf('gmail.com'), null);
      assert.equal(await mxOf('shop.com'), null);
      await eventually(async () => assert.deepEqual(await stored(), []));
    } finally {
      await started.close();
      await dns.close();
    }
  });
});
