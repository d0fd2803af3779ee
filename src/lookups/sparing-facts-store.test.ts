import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../errors.ts';
import { sparingFactsStore } from './sparing-facts-store.ts';

test('a storage that failed is spared for a second, then asked again', async () => {
  let nowMs = 0;
  let asked = 0;
  let isAway = false;
  const store = sparingFactsStore(
    {
      async load() {
        asked += 1;
        if (isAway) throw new AppError('service_unavailable');
        return [];
      },
      save: async () => {},
      retract: () => Promise.resolve(),
      prune: async () => 0,
    },
    () => nowMs,
  );
  const load = () => store.load('example.com', ['mx']);
  assert.deepEqual(await load(), []);
  isAway = true;
  await assert.rejects(load(), { code: 'service_unavailable' });
  assert.equal(asked, 2);
  isAway = false;
  nowMs = 999;
  await assert.rejects(load(), { code: 'service_unavailable' });
  assert.equal(asked, 2);
  nowMs = 1_000;
  assert.deepEqual(await load(), []);
  assert.deepEqual(await load(), []);
  assert.equal(asked, 4);
});
