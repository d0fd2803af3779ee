import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { openDatabase } from '../src/db/db.ts';
import type { DnsBehaviour } from './dns-behaviour.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import type { DnsZone } from './dns-zone.ts';
import { temporaryDirectory } from './engines.ts';
import { eventually } from './eventually.ts';
import { runSignalpost, type Serving, serveSignalpost } from './signalpost-process.ts';
import { realClock, startApp } from './start-app.ts';

type Decision = { decision: { action: string }; signals: { domain: { mx: boolean | null } } };

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

/** Companies that exist, and a name that does not; the service knows some of them before the resolver fails. */
const companies = Array.from({ length: 12 }, (_, index) => `company-${index}.com`);
const warm = companies.slice(0, 4);
const unregistered = 'unregistered-name.com';
const wellKnown = 'gmail.com';
const zone: DnsZone = Object.fromEntries(
  [...companies, wellKnown].map((name) => [name, { MX: [[10, `mx.${name}`]], TXT: ['v=spf1 -all'] }]),
);

interface Fault {
  readonly behaviour: DnsBehaviour;
  /** Whether a second, honest resolver is configured. */
  readonly isMixed?: boolean;
}
const faults: Readonly<Record<string, Fault>> = {
  'denies every name': { behaviour: 'denying' },
  'denies every second query': { behaviour: 'half-denying' },
  'invents records': { behaviour: 'inventing' },
  'denies every name beside an honest one': { behaviour: 'denying', isMixed: true },
  'invents records beside an honest one': { behaviour: 'inventing', isMixed: true },
};

describe('a service whose resolver was honest and fails', { concurrency: true }, () => {
  for (const [text, { behaviour, isMixed = false }] of Object.entries(faults)) {
    it(`a service whose resolver ${text} blocks no existing company, stores no false fact and answers right after the recovery [D290]`, async () => {
      const dns = await startDnsServer(zone);
      const honest = await startDnsServer(zone);
      const servers = isMixed ? [dns.address, honest.address] : [dns.address];
      const settings = { OFFLINE: 'false', DNS_SERVERS: servers.join(','), DNS_DEADLINE_MS: '20000' };
      const started = await startApp(settings, { clock: realClock() });
      const key = started.keys.production;
      const mxOf = async (domain: string): Promise<boolean | null> =>
        (await started.request<{ mx: boolean | null }>('GET', `/domain/${domain}`, { key })).json.mx;
      const flush = async () => {
        for (const buffer of started.app.knowledge.buffers ?? []) await buffer.flush();
      };
      const storedHosts = async (): Promise<string[]> => {
        const facts = started.db.read.selectFrom('facts').select(['domain', 'value']).where('kind', '=', 'mx');
        const stored = (await facts.execute()).filter(({ domain }) => companies.includes(domain));
        return stored.map(({ domain, value }) => `${domain} ${JSON.parse(value)[0]?.hostname}`).toSorted();
      };
      const hostsOf = (names: readonly string[]) => names.map((name) => `${name} mx.${name}`).toSorted();
      try {
        const gate = await started.request<{ data: { id: string } }>('POST', '/v1/gates', {
          key,
          body: { name: 'Sign-up' },
        });
        const actionOn = async (domain: string): Promise<string> => {
          const path = `/v1/gates/${gate.json.data.id}/decisions`;
          const body = { email: `jane@${domain}` };
          return (await started.request<Decision>('POST', path, { key, body })).json.decision.action;
        };
        // On a busy machine the first probe of the resolver may time out; then it is probed again.
        await eventually(async () => assert.equal(await mxOf('never-registered.com'), false));
        for (const name of warm) assert.equal(await mxOf(name), true);
        await flush();
        assert.deepEqual(await storedHosts(), hostsOf(warm));

        dns.behave('*', behaviour);
        for (const asked of [companies, [wellKnown], companies, companies]) {
          const actions = await Promise.all(asked.map(actionOn));
          assert.deepEqual([...new Set(actions)], ['allow'], asked.join(' '));
        }
        const invented = await mxOf(unregistered);
        await flush();
        const untrusted = started.app.knowledge.network.dns.serverTrust().filter(({ trust }) => trust !== 'trusted');
        assert.deepEqual(
          untrusted.map(({ server }) => server),
          [dns.address],
        );
        for (const name of warm) assert.equal(await mxOf(name), true, name);
        assert.equal(await mxOf(unregistered), isMixed ? false : null, `was ${invented} before the proof`);
        const mayBeStored = hostsOf(isMixed ? companies : warm);
        for (const fact of await storedHosts()) assert.ok(mayBeStored.includes(fact), fact);

        dns.behave('*', 'normal');
        await eventually(async () => {
          const answers = await Promise.all([...companies, unregistered].map(mxOf));
          assert.deepEqual(answers, [...companies.map(() => true), false]);
        }, 20_000);
        await flush();
        const finallyStored = await storedHosts();
        // An honest resolver's facts are not stored either while the other one is found lying.
        for (const fact of finallyStored) assert.ok(hostsOf(companies).includes(fact), fact);
        if (!isMixed) assert.equal(finallyStored.length, companies.length);
        const metrics = await started.request('GET', '/metrics');
        assert.match(metrics.text, /signalpost_dns_events_total\{event="distrusted"\} [1-9]/);
      } finally {
        await started.close();
        await dns.close();
        await honest.close();
      }
    });
  }
});
