import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { temporaryDirectory } from '../../../test/engines.ts';
import { until } from '../../../test/eventually.ts';
import { runInProcess } from '../../../test/run-in-process.ts';
import { missingService, postgresServer, postgresUrl } from '../../../test/services.ts';
import { realClock, type StartedApp, startApp } from '../../../test/start-app.ts';
import { webhookClient } from '../../../test/webhook-client.ts';
import { serviceUrl } from './fetch-diagnostics.ts';

describe('signalpost doctor beside a running service', () => {
  let service: StartedApp;
  let env: NodeJS.ProcessEnv;
  before(async () => {
    service = await startApp({ METRICS_TOKEN: 'operators-only' }, { clock: realClock() });
    const { port } = new URL(await service.app.server.listen({ port: 0, host: '127.0.0.1' }));
    env = { PORT: port, DATA_DIR: service.config.dataDir, METRICS_TOKEN: 'operators-only' };
  });
  after(() => service.close());

  it('signalpost doctor has a line for each area and the slowest requests with their stages, and succeeds', async () => {
    const id = '01JCX5S1V0ABCDEFGHJKMNPQRS';
    await service.request('GET', '/domain/example.com', {
      key: service.keys.production,
      headers: { 'x-request-id': id },
    });
    const { code, stdout, stderr } = await runInProcess(['doctor'], env);
    assert.equal(code, 0, stderr);
    for (const area of ['DNS', 'Lists', 'Disk', 'Database', 'Backup', 'Queues', 'Requests']) {
      assert.match(stdout, new RegExp(`^[✓!] ${area}: `, 'm'));
    }
    assert.match(stdout, new RegExp(`^ {2}\\d+\\.\\d ms {2}lookupDomain 200: .*request ${id}\\)$`, 'm'));
    assert.doesNotMatch(stdout, /example\.com/);
  });

  it('signalpost doctor --json has the findings and what they were derived from', async () => {
    const { code, stdout } = await runInProcess(['doctor', '--json'], env);
    const { findings, diagnostics, url } = JSON.parse(stdout);
    assert.equal(code, 0);
    assert.equal(url, `http://127.0.0.1:${env.PORT}`);
    assert.ok(findings.every(({ level }: { level: string }) => ['ok', 'warning'].includes(level)));
    assert.equal(diagnostics.processes[0].storage.up, true);
  });

  it('signalpost doctor with a wrong token says which setting to change, and fails', async () => {
    const { code, stdout, stderr } = await runInProcess(['doctor'], { ...env, METRICS_TOKEN: 'wrong' });
    assert.equal(code, 1);
    assert.match(stdout, /^✗ Service: refuses its diagnostics at \S+ \(401\)\. Set METRICS_TOKEN /m);
    assert.equal(stderr, 'signalpost: one problem\n');
  });

  it('the diagnostics of a service are for holders of METRICS_TOKEN', async () => {
    assert.equal((await service.request('GET', '/diagnostics')).status, 401);
    assert.equal((await service.request('GET', '/diagnostics', { key: 'operators-only' })).status, 200);
  });
});

it('signalpost doctor and the log of a start name webhook secrets of another key', async (test) => {
  const first = await startApp({ SECRET_KEY: 'the key of the first start' });
  await webhookClient(first).create();
  await first.app.close();
  await first.db.close();
  const lines: string[] = [];
  const service = await startApp(
    { SECRET_KEY: 'the key of the second start', METRICS_TOKEN: 'operators-only' },
    {
      database: { url: null, dataDir: first.config.dataDir },
      existing: first.keys.production,
      log: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }),
    },
  );
  test.after(() => service.close());
  const { port } = new URL(await service.app.server.listen({ port: 0, host: '127.0.0.1' }));
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /"webhooks":1,"msg":"cannot decrypt the secrets of webhooks, .* set SECRET_KEY/);
  const { code, stdout } = await runInProcess(['doctor'], { PORT: port, METRICS_TOKEN: 'operators-only' });
  assert.equal(code, 1);
  assert.match(stdout, /^✗ Webhooks: cannot decrypt the secrets of one webhook, so deliveries fail\. Set SECRET_KEY/m);
});

it('signalpost doctor and the log name an instance of the same PostgreSQL with another SECRET_KEY', {
  skip: await missingService(postgresServer),
}, async (test) => {
  const url = await postgresUrl();
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  const variables = { SECRET_KEY: 'the key of the first instance', METRICS_TOKEN: 'operators-only' };
  const first = await startApp(variables, { database: { url, dataDir: temporaryDirectory() }, clock: realClock() });
  test.after(() => first.close());
  const second = await startApp(
    { ...variables, SECRET_KEY: 'the key of the second one' },
    { database: { url, dataDir: temporaryDirectory() }, existing: first.keys.production, clock: realClock(), log },
  );
  test.after(() => second.close());
  const { port } = new URL(await second.app.server.listen({ port: 0, host: '127.0.0.1' }));
  await until(() => lines.length > 0);
  assert.match(lines[0] ?? '', /another instance uses this database with a different SECRET_KEY.*set one SECRET_KEY/);
  const { code, stdout } = await runInProcess(['doctor'], { PORT: port, METRICS_TOKEN: 'operators-only' });
  assert.equal(code, 1);
  assert.match(stdout, /^✗ Instances: another instance .* a different SECRET_KEY.*\. Set one SECRET_KEY on every/m);
});

describe('signalpost doctor without a running service', () => {
  /** A port on which nothing listens. */
  const closedPort = async (): Promise<string> => {
    const server = createServer().listen(0, '127.0.0.1');
    const port = await new Promise<number>((resolve) =>
      server.once('listening', () => resolve((server.address() as AddressInfo).port)),
    );
    await new Promise((resolve) => server.close(resolve));
    return String(port);
  };

  it('signalpost doctor says that the service does not answer, checks the data directory, and fails', async () => {
    const dataDir = temporaryDirectory();
    const env = { PORT: await closedPort(), DATA_DIR: dataDir, OFFLINE: 'true' };
    const { code, stdout } = await runInProcess(['doctor'], env);
    assert.equal(code, 1);
    assert.match(stdout, /^✗ Service: does not answer at http:\/\/127\.0\.0\.1:\d+: /m);
    assert.match(stdout, /^✓ DNS: not used \(OFFLINE=true\)$/m);
    assert.match(stdout, /^[✓!] Disk: /m);
    assert.match(stdout, /^! Database: there is none in /m);
  });

  it('signalpost doctor checks the database of a stopped service without opening it', async () => {
    const service = await startApp();
    const { dataDir } = service.config;
    const env = { PORT: await closedPort(), DATA_DIR: dataDir, OFFLINE: 'true' };
    const { stdout } = await runInProcess(['doctor'], env);
    await service.close();
    assert.match(stdout, /^✓ Database: \S+signalpost\.db can be used$/m);
  });
});

it('signalpost doctor looks for the service on an address that this machine reaches', () => {
  const urls = ['127.0.0.1', '0.0.0.0', '::', '::1', '192.0.2.1'].map((host) => serviceUrl({ host, port: 80 }));
  assert.deepEqual(urls, [
    'http://127.0.0.1:80',
    'http://127.0.0.1:80',
    'http://[::1]:80',
    'http://[::1]:80',
    'http://192.0.2.1:80',
  ]);
});
