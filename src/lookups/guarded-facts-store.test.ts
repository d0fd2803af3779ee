import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../errors.ts';
import { guardedFactsStore } from './guarded-facts-store.ts';

const nothing = { save: async () => {}, retract: () => Promise.resolve(), prune: async () => 0 };

test('concurrent reads of a domain are one read, and a later one reads again', async () => {
  const asked: string[] = [];
  const load = async (domain: string) => {
    asked.push(domain);
    return [];
  };
  const store = guardedFactsStore({ ...nothing, load }, () => 0);
  await Promise.all([store.load('a.test'), store.load('a.test'), store.load('b.test')]);
  assert.deepEqual(asked, ['a.test', 'b.test']);
  await store.load('a.test');
  assert.deepEqual(asked, ['a.test', 'b.test', 'a.test']);
});

test('facts from a synchronous storage are read once per microtask', async () => {
  const asked: string[] = [];
  const load = (domain: string) => {
    asked.push(domain);
    return [];
  };
  const store = guardedFactsStore({ ...nothing, load }, () => 0);
  assert.deepEqual([store.load('a.test'), store.load('a.test')], [[], []]);
  assert.deepEqual(asked, ['a.test']);
  await Promise.resolve();
  store.load('a.test');
  assert.deepEqual(asked, ['a.test', 'a.test']);
});

test('an error of a synchronous storage becomes a rejection, and the storage is not queried', async () => {
  let asked = 0;
  const load = () => {
    asked += 1;
    throw new Error('damaged');
  };
  const store = guardedFactsStore({ ...nothing, load }, () => 0);
  await assert.rejects(async () => store.load('a.test'), { message: 'damaged' });
  await assert.rejects(async () => store.load('a.test'), { message: 'damaged' });
  assert.equal(asked, 1);
});

test('a storage that failed is not queried for a second, then again', async () => {
  let nowMs = 0;
  let asked = 0;
  let isAway = false;
  const store = guardedFactsStore(
    {
      ...nothing,
      async load() {
        asked += 1;
        if (isAway) throw new AppError('service_unavailable');
        return [];
      },
    },
    () => nowMs,
  );
  const load = async () => store.load('example.com');
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
