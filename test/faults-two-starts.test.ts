import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openDatabase } from '../src/db/db.ts';
import { allMigrations } from '../src/db/migrations/all.ts';
import { describeEngines } from './engines.ts';
import { serveSignalpost } from './signalpost-process.ts';

await describeEngines('two services that start concurrently on one empty database', (_, empty) => {
  it('two services that start concurrently on one empty database migrate it once and create one first account, whose keys one of them prints and each accepts [Q46]', async () => {
    const { url, dataDir } = await empty();
    const env = { DATA_DIR: dataDir, ...(url === null ? {} : { DATABASE_URL: url }) };
    const starts = await Promise.allSettled([serveSignalpost(env), serveSignalpost(env)]);
    const services = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    // Only one service may use an embedded database.
    assert.equal(services.length, url === null ? 1 : 2);
    const printed = services.filter(({ keys }) => Object.keys(keys).length > 0);
    assert.equal(printed.length, 1);
    const keys = Object.values(printed[0]?.keys ?? {});
    assert.equal(keys.length, 3);
    for (const service of services) for (const key of keys) assert.equal(await service.statusWith(key), 200);
    const db = await openDatabase({ url, dataDir });
    const applied = await db.read.selectFrom('migrations').select('id').orderBy('id').execute();
    assert.deepEqual(
      applied.map(({ id }) => id),
      allMigrations.map(({ id }) => id),
    );
    assert.equal((await db.read.selectFrom('accounts').select('id').execute()).length, 1);
    assert.equal((await db.read.selectFrom('keys').select('id').execute()).length, 3);
    await db.close();
    for (const ended of await Promise.all(services.map((service) => service.stop()))) assert.equal(ended.code, 0);
  });
});
