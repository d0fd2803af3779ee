import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { openDatabase } from '../src/db/db.ts';
import { openLists } from '../src/lists/lists.ts';
import { type DnsServer, startDnsServer } from './dns-server.ts';
import type { DnsZone, ZoneRecords } from './dns-zone.ts';
import { describeService, temporaryDirectory } from './engines.ts';
import { until } from './eventually.ts';
import { jsonInProcess } from './run-in-process.ts';
import { missingService, postgresServer, postgresUrl } from './services.ts';
import { runJson, type Serving, serveSignalpost } from './signalpost-process.ts';
import { type Receiver, startReceiver } from './webhook-receiver.ts';

const events = ['domain.flagged.disposable', 'domain.flagged.relay', 'domain.flagged.spam'];
/** Test machines are busy. */
const longMs = 120_000;

const started: Serving[] = [];

/** Starts a service that is stopped after the tests, even when they fail. */
async function serve(env: NodeJS.ProcessEnv): Promise<Serving> {
  const serving = await serveSignalpost(env);
  started.push(serving);
  return serving;
}

const endServices = () => Promise.all(started.map((serving) => serving.stop('SIGKILL')));
after(endServices);

/** `disposable example.com`, as received. */
function told({ received }: Receiver): string[] {
  return received.map(({ body }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: { domain: string } };
    return `${type.split('.').at(-1)} ${data.domain}`;
  });
}

/** Registers the receiver with the production key; returns the secret for verification. */
async function subscribe(serving: Serving, { url }: Receiver): Promise<string> {
  const answer = await serving.call<{ data: { secret: string } }>('POST', '/v1/webhooks', { url, events });
  return answer.data.secret;
}

/** Waits until a seen domain is on disk. */
async function isWritten(at: Parameters<typeof openDatabase>[0], domain: string): Promise<void> {
  const name = domain.split('.').reverse().join('.');
  const db = await openDatabase(at);
  try {
    const rows = () => db.read.selectFrom('seen_domains').select('day').where('name', '=', name).execute();
    await until(async () => (await rows()).length > 0, longMs);
  } finally {
    await db.close();
  }
}

await describeService('a service whose operator adds an entry', (fresh) => {
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.close());

  it('a service whose operator adds an entry sends one signed event to environments that saw the domain or a name below it, even when it is killed in between', async () => {
    const at = await fresh();
    const env = {
      DATA_DIR: at.dataDir,
      OUTBOUND_ALLOW: receiver.origin,
      ...(at.url === null ? {} : { DATABASE_URL: at.url }),
    };
    const first = await serve(env);
    const secret = await subscribe(first, receiver);
    for (const domain of ['harmless.example', 'mail.turns.example', 'killed.example']) {
      await first.call('GET', `/domain/${domain}`);
    }
    await isWritten(at, 'killed.example');
    await jsonInProcess(['lists', 'add', 'disposable', 'turns.example'], env);
    await until(() => receiver.received.length > 0, longMs);
    const [event] = receiver.received;
    assert.ok(event !== undefined);
    new Webhook(secret).verify(event.body, event.headers as Record<string, string>);
    await jsonInProcess(['lists', 'add', 'spam', 'killed.example'], env);
    await first.stop('SIGKILL');
    const second = await serve(env);
    await until(() => receiver.received.length > 1, longMs);
    await second.stop();
    assert.deepEqual(told(receiver), ['disposable turns.example', 'spam killed.example']);
  });
});

const withoutPostgres = await missingService(postgresServer);

describe('several processes that compare lists', { concurrency: true }, () => {
  /** Every process sees two domains, which are then flagged one after the other. */
  const notifyOnce = async (
    env: NodeJS.ProcessEnv,
    at: Parameters<typeof openDatabase>[0],
    dataDirs: readonly string[],
  ) => {
    const receiver = await startReceiver();
    const serving: Serving[] = [];
    try {
      for (const dataDir of dataDirs) {
        serving.push(await serve({ ...env, DATA_DIR: dataDir, OUTBOUND_ALLOW: receiver.origin }));
      }
      const [first] = serving;
      assert.ok(first !== undefined);
      await subscribe(first, receiver);
      const headers = { authorization: `Bearer ${first.keys.production}` };
      for (const { url } of serving) {
        for (const domain of ['both.example', 'later.example', 'both.example', 'later.example']) {
          assert.equal((await fetch(`${url}/domain/${domain}`, { headers })).status, 200);
        }
      }
      await isWritten(at, 'later.example');
      // By the time of the second notification, all processes have had enough time to compare the first.
      for (const domain of ['both.example', 'later.example']) {
        const before = receiver.received.length;
        await jsonInProcess(['lists', 'add', 'disposable', domain], { ...env, DATA_DIR: at.dataDir });
        await until(() => receiver.received.length > before, longMs);
      }
    } finally {
      await Promise.all(serving.map((one) => one.stop()));
      await receiver.close();
    }
    assert.deepEqual(told(receiver), ['disposable both.example', 'disposable later.example']);
  };

  it('two instances on one PostgreSQL notify once about a domain that both saw', {
    skip: withoutPostgres,
  }, async () => {
    const at = { url: await postgresUrl(), dataDir: temporaryDirectory() };
    // Either instance may deliver the event, signed with the secret that one of them encrypted.
    const env = { DATABASE_URL: at.url, SECRET_KEY: 'one key of all instances' };
    await notifyOnce(env, at, [at.dataDir, temporaryDirectory()]);
  });

  it('the workers of one instance on SQLite notify once about a domain', async () => {
    const at = { url: null, dataDir: temporaryDirectory() };
    await notifyOnce({ WORKERS: '2' }, at, [at.dataDir]);
  });
});

describe('a domain that the network flags after it was seen', () => {
  const at = { url: null, dataDir: temporaryDirectory() };
  let dns: DnsServer;
  let receiver: Receiver;
  let env: NodeJS.ProcessEnv;
  before(async () => {
    [dns, receiver] = await Promise.all([startDnsServer({}), startReceiver()]);
    env = {
      DATA_DIR: at.dataDir,
      OUTBOUND_ALLOW: receiver.origin,
      OFFLINE: 'false',
      DNS_SERVERS: dns.address,
      DNS_PROBE: 'off',
      DNS_DEADLINE_MS: '20000',
      DNSBL_ZONES: 'dbl.test',
    };
  });
  after(async () => {
    // A process with pending queries would keep the DNS server from closing.
    await endServices();
    await Promise.all([dns.close(), receiver.close()]);
  });
  const blocklist: DnsZone = { 'test.dbl.test': { A: ['127.0.0.2'] } };
  const lookUp = (serving: Serving, key: string | undefined, domain: string) =>
    fetch(`${serving.url}/domain/${domain}`, { headers: { authorization: `Bearer ${key}` } }).then(
      (answer) => answer.json() as Promise<{ spam: boolean | null; disposable: boolean }>,
    );

  it('a domain that a DNS blocklist or a learnt mail server flags later is reported to the environments that saw it', async () => {
    const first = await serve(env);
    await subscribe(first, receiver);
    const lists = await openLists({ dataDir: at.dataDir, log: pino({ level: 'silent' }), now: Date.now });
    const listed = lists
      .names()
      .filter((name) => lists.isListed('disposable', name))
      .slice(0, 20);
    // A server below a listed domain is learnt whatever else was seen.
    const server: ZoneRecords = { MX: [[10, `mx.${listed[0]}`]] };
    const pointing = Object.fromEntries([...listed, 'quiet-harbour.com', 'two-ways.com'].map((name) => [name, server]));
    const twoWays: ZoneRecords = { MX: [...(server.MX ?? []), [20, 'mx.harmless.org']] };
    const zone = { ...blocklist, ...pointing, 'two-ways.com': twoWays };
    dns.setZone(zone);
    const { production, staging } = first.keys;
    for (const domain of ['mail.turned-spam.com', 'quiet-harbour.com', 'two-ways.com']) {
      const { spam, disposable } = await lookUp(first, production, domain);
      assert.deepEqual([spam, disposable], [false, false], domain);
    }
    for (const domain of listed) await lookUp(first, staging, domain);
    await isWritten(at, listed.at(-1) ?? '');
    await first.stop();

    // No DNS answer is cached, so that the changed zone takes effect.
    dns.setZone({ ...zone, 'turned-spam.com.dbl.test': { A: ['127.0.0.2'] } });
    const { servers } = await runJson<{ servers: number }>(['lists', 'learn', '--limit', '1'], env);
    assert.equal(servers, 1);
    const second = await serve(env);
    assert.equal((await lookUp(second, staging, 'www.turned-spam.com')).spam, true);
    await until(() => receiver.received.length >= 2, longMs);
    await second.stop();
    assert.deepEqual(told(receiver).sort(), ['disposable quiet-harbour.com', 'spam turned-spam.com']);
  });
});
