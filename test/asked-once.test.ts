import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openDatabase } from '../src/db/db.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import { temporaryDirectory } from './engines.ts';
import { until } from './eventually.ts';
import { type RdapServer, startRdapServer } from './rdap-server.ts';
import { missingService, postgresServer, postgresUrl } from './services.ts';
import { type Serving, serveSignalpost } from './signalpost-process.ts';

const skip = await missingService(postgresServer);
const registered = { kind: 'registered', at: '2001-01-01T00:00:00Z' } as const;

describe('three instances on one PostgreSQL that are asked for a domain none of them knows', { skip }, () => {
  /** One for each, so that a question that was sent again for lack of an answer is not taken for another's. */
  let servers: readonly DnsServer[] = [];
  let rdap: RdapServer;
  let instances: readonly Serving[] = [];
  before(async () => {
    servers = await Promise.all([1, 2, 3].map(() => startDnsServer({})));
    rdap = await startRdapServer(['com']);
    const env = {
      DATABASE_URL: await postgresUrl(),
      OFFLINE: 'false',
      LISTS_REFRESH: 'off',
      DNS_PROBE: 'off',
      DNS_DEADLINE_MS: '20000',
      DNSBL_ZONES: 'dbl.test',
      RDAP_BOOTSTRAP_URL: rdap.bootstrapUrl,
      OUTBOUND_ALLOW: rdap.origin,
    };
    const serve = ({ address }: DnsServer) =>
      serveSignalpost({ ...env, DNS_SERVERS: address, DATA_DIR: temporaryDirectory() });
    const [first, ...others] = servers;
    assert.ok(first !== undefined);
    instances = [await serve(first), ...(await Promise.all(others.map(serve)))];
    await knowEachOther(env.DATABASE_URL);
  });
  after(async () => {
    await Promise.all(instances.map((instance) => instance.stop('SIGKILL')));
    await Promise.all([...servers, rdap].map((server) => server.close()));
  });

  /** Each says every few seconds that it is there, and sees then who else is. */
  const knowEachOther = async (url: string): Promise<void> => {
    const db = await openDatabase({ url, dataDir: temporaryDirectory() });
    const seenAt = async () =>
      (await db.read.selectFrom('list_users').select('seen_at').execute()).map((row) => row.seen_at);
    await until(async () => (await seenAt()).length === 3);
    const allAtMs = Math.max(...(await seenAt()));
    await until(async () => (await seenAt()).every((atMs) => atMs > allAtMs));
    await db.close();
  };

  const lookUp = async ({ url }: Serving, domain: string) => {
    const headers = { authorization: `Bearer ${instances[0]?.keys.production}` };
    const answer = await fetch(`${url}/domain/${domain}?wait=domain_age_in_days`, { headers });
    return (await answer.json()) as { mx: boolean; spam: boolean; domain_age_in_days: number };
  };

  it('three instances ask the DNS, a DNS blocklist and the registry once, and all of them have the answers', async () => {
    const names = Array.from({ length: 10 }, (_, place) => `cold-${place}.com`);
    const records = names.map((name) => [name, { MX: [[10, 'mx.somewhere.net']] as [number, string][] }] as const);
    const listed = { A: ['127.0.0.2'] };
    const zone = { ...Object.fromEntries(records), 'test.dbl.test': listed, 'cold-0.com.dbl.test': listed };
    for (const server of servers) server.setZone(zone);
    for (const name of names) rdap.behave(name, registered);
    const told = await Promise.all(names.map((name) => Promise.all(instances.map((one) => lookUp(one, name)))));
    for (const [place, answers] of told.entries()) {
      for (const { mx, spam, domain_age_in_days: age } of answers)
        assert.deepEqual([mx, spam, age > 9_000], [true, place === 0, true], names[place]);
    }
    const asked = (question: string) => servers.filter(({ questions }) => questions.has(question)).length;
    const questions = names.map((name) => ({
      mx: asked(`${name} MX`),
      dnsbl: asked(`${name}.dbl.test A`),
      registry: rdap.requests.get(`/rdap/domain/${name}`),
    }));
    assert.deepEqual(questions, Array(10).fill({ mx: 1, dnsbl: 1, registry: 1 }));
  });
});
