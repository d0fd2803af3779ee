import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../src/config.ts';
import { type Db, openDatabase } from '../src/db/db.ts';
import { createListDistribution } from '../src/lists/distribution/feature.ts';
import { readPackage } from '../src/lists/sources/read-packages.ts';
import { packageSources } from '../src/lists/sources/source-catalogue.ts';
import { createLog } from '../src/log.ts';
import { type DownloadServer, startDownloadServer } from './download-server.ts';
import { temporaryDirectory } from './engines.ts';
import { eventually, until, untilAnswer } from './eventually.ts';
import { jsonInProcess } from './run-in-process.ts';
import { missingService, postgresServer, postgresUrl } from './services.ts';
import { shareSnapshot } from './shared-snapshot.ts';
import { type Serving, serveSignalpost } from './signalpost-process.ts';

interface Status {
  readonly fingerprint: string;
  readonly ranks: { readonly source: string | null };
  readonly ip: { readonly files: readonly { readonly file: string; readonly state: string }[] };
  readonly instances: readonly { readonly fingerprint: string; readonly version: string; readonly seen_at: string }[];
}

const strong = packageSources.find(({ name }) => name === 'disposable-email-domains-js');
const names = strong === undefined ? [] : readPackage(strong).names;

describe('lists of several instances', { skip: await missingService(postgresServer) }, () => {
  let url: string;
  let db: Db;
  let publisher: DownloadServer;
  const serving: Serving[] = [];
  before(async () => {
    url = await postgresUrl();
    db = await openDatabase({ url, dataDir: temporaryDirectory() });
    publisher = await startDownloadServer();
    publisher.serve('/list', [...names, 'brand-new-bin.com'].join('\n'));
    publisher.serve('/tor', '192.0.2.1\n192.0.2.2\n');
  });
  after(async () => {
    await Promise.all(serving.map((each) => each.stop()));
    await publisher.close();
    await db.close();
  });
  const environment = () => {
    const dataDir = temporaryDirectory();
    const choices = {
      'disposable-email-domains': { url: `${publisher.origin}/list` },
      'tor-exits': { url: `${publisher.origin}/tor` },
    };
    shareSnapshot(dataDir);
    writeFileSync(join(dataDir, 'lists', 'refresh.json'), JSON.stringify(choices));
    return { DATA_DIR: dataDir, DATABASE_URL: url, OUTBOUND_ALLOW: publisher.origin };
  };

  it('all instances, also one that starts later, use the lists that one instance downloads, and lists status shows the version of each', async () => {
    const [one, other, later] = [environment(), environment(), environment()];
    serving.push(await serveSignalpost(one), await serveSignalpost(other));
    const [first] = serving;
    const isDisposable = async ({ url: at }: Serving) => {
      const headers = { authorization: `Bearer ${first?.keys.production}` };
      const answer = await fetch(`${at}/domain/brand-new-bin.com`, { headers });
      return ((await answer.json()) as { disposable: boolean }).disposable;
    };
    for (const each of serving) assert.equal(await isDisposable(each), false);
    await jsonInProcess(['lists', 'update', 'disposable-email-domains', 'tor-exits'], { ...one, OFFLINE: 'false' });
    const ranking = join(one.DATA_DIR, 'ranking.csv');
    writeFileSync(ranking, Array.from({ length: 2_000 }, (_, index) => `${index + 1},site${index}.example`).join('\n'));
    await jsonInProcess(['lists', 'import-ranks', ranking], one);
    for (const each of serving) await eventually(async () => assert.equal(await isDisposable(each), true));
    assert.equal(publisher.requests.get('/list')?.count, 1);

    // Querying the database takes a hundredth of the processor time of a command.
    const users = db.read.selectFrom('list_users').select('fingerprint');
    await until(async () => {
      const [newest, ...others] = await users.execute();
      const isSame = others.length === 1 && others[0]?.fingerprint === newest?.fingerprint;
      return isSame && existsSync(join(other.DATA_DIR, 'lists', 'ranks.bin'));
    });
    const status = await untilAnswer(
      () => jsonInProcess<Status>(['lists', 'status'], other),
      ({ instances, fingerprint, ranks }) =>
        ranks.source === 'ranking.csv' && instances.every((each) => each.fingerprint === fingerprint),
    );
    assert.equal(status.instances.length, 2);
    assert.equal(status.ip.files.find(({ file }) => file === 'tor.txt')?.state, 'used');

    serving.push(await serveSignalpost(later));
    assert.equal(await isDisposable(serving[2] as Serving), true);
    assert.match(serving[2]?.stderr() ?? '', /downloaded the snapshot that another instance built/);
    await Promise.all(serving.splice(0).map((each) => each.stop()));
    assert.deepEqual((await jsonInProcess<Status>(['lists', 'status'], other)).instances, []);
  });

  it('one of several instances that refresh concurrently downloads the lists', async () => {
    publisher.requests.clear();
    const runs = [environment(), environment(), environment()].map((env) => {
      const config = readConfig(env);
      const log = createLog({ level: 'silent', isTerminal: false });
      const shared = createListDistribution({ config, db, log, now: Date.now, monotonicMs: () => performance.now() });
      const { dataDir, outboundAllow, dnsServers, rdapBootstrapUrl } = config;
      const order = { dataDir, outboundAllow, dnsServers, rdapBootstrapUrl, only: ['tor-exits'] };
      return shared?.refresh(order, log, new AbortController().signal);
    });
    const results = await Promise.all(runs);
    assert.deepEqual(results.map((result) => result?.length).toSorted(), [0, 0, 1]);
    assert.equal(publisher.requests.get('/tor')?.count, 1);
  });
});
