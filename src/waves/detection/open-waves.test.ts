import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeEngines } from '../../../test/engines.ts';
import { type Db, openDatabase } from '../../db/db.ts';
import { createDetectionStore } from '../detection-store.ts';
import { createOpenWaves } from './open-waves.ts';

const dayMs = 86_400_000;
const endedMs = 100 * dayMs;

await describeEngines('open waves in memory', (fresh) => {
  let db: Db;
  before(async () => {
    db = await openDatabase(await fresh());
  });
  after(() => db.close());

  it('keep what rows need of an ended wave while its rows can be in a window, and no longer', async () => {
    const waves = createOpenWaves(createDetectionStore(db));
    const none = { addresses: 0, domains: 0, ips: 0, allow: 0, block: 0, challenge: 0, usualPerHour: 0, threshold: 8 };
    const wave = {
      ...none,
      ...{ id: 'ended', owner: { accountId: 'one', environment: 'production' as const }, kind: 'domain' as const },
      ...{ value: 'd.example', isSlow: true, isStopped: false, verdict: null, samples: [] },
      ...{ beganAtMs: endedMs, lastAtMs: endedMs, endedAtMs: null, createdAtMs: endedMs },
    };
    const { number } = waves.add({
      ...{ wave, key: 1, values: [], links: [], aboveUntilMs: 0, countedThroughMs: 0, members: [] },
    });
    waves.end('ended', endedMs);
    assert.deepEqual([waves.isSlow(number), [...waves.all()].length], [true, 0]);
    await waves.refresh(endedMs);
    assert.deepEqual([waves.isSlow(number), waves.size()], [true, 1]);
    await waves.refresh(endedMs + dayMs);
    assert.deepEqual([waves.isSlow(number), waves.size()], [false, 0]);
  });
});
