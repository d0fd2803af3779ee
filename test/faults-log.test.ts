import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryDirectory } from './engines.ts';
import { eventually } from './eventually.ts';
import { startFaultyProxy } from './faulty-proxy.ts';
import { missingService, postgresServer, postgresUrl } from './services.ts';
import { serveSignalpost } from './signalpost-process.ts';

const skip = await missingService(postgresServer);

interface Line {
  readonly msg: string;
  readonly reason?: string;
  readonly count?: number;
}

describe('the log while storage is unavailable', { skip }, () => {
  it('the log while storage is unavailable has one line per cause and second with a count, not one per request', async () => {
    const line = await startFaultyProxy(await postgresUrl());
    const service = await serveSignalpost({ DATA_DIR: temporaryDirectory(), DATABASE_URL: line.url });
    const headers = { authorization: `Bearer ${service.keys.production}`, 'content-type': 'application/json' };
    const add = async (index: number): Promise<number> => {
      const body = JSON.stringify({ domain: `d${index}.example` });
      return (await fetch(`${service.url}/blocklist`, { method: 'POST', headers, body })).status;
    };
    assert.equal(await add(0), 201);
    await line.set('refused');
    const before = service.stderr().length;
    for (let round = 1; round <= 20; round += 1) {
      const statuses = await Promise.all(Array.from({ length: 100 }, (_, index) => add(round * 100 + index)));
      assert.deepEqual(new Set(statuses), new Set([503]));
    }
    const failures = () =>
      service
        .stderr()
        .slice(before)
        .split('\n')
        .filter((text) => text !== '')
        .map((text) => JSON.parse(text) as Line)
        .filter(({ msg }) => msg === 'service unavailable');
    await eventually(async () => {
      // The first failure of each cause has its own line; the counts include the others.
      const counted = failures().reduce((sum, { count = 1 }) => sum + count, 0);
      assert.equal(counted, 2_000);
    });
    const written = service.stderr().length - before;
    assert.ok(written < 100_000, `${written} bytes`);
    assert.ok(failures().length < 200, `${failures().length} lines`);
    assert.ok(failures().every((failure) => failure.reason !== undefined && !('err' in failure)));
    await line.set('through');
    await service.stop();
    line.close();
  });
});
