import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFactWriter } from './fact-writer.ts';
import type { Fact, FactsStore } from './facts-store.ts';
import type { Retraction } from './retraction.ts';

const fact = (domain: string, value: unknown): Fact => ({ domain, kind: 'spf', value, source: 'dns', learntAtMs: 0 });

/** A storage that fails as long as it is told to. */
function storage() {
  const batches: (readonly Fact[])[] = [];
  const retractions: Retraction[] = [];
  const state = { away: false, during: () => {} };
  const store: FactsStore = {
    load: async () => [],
    async retract(retraction) {
      if (state.away) throw new Error('away');
      retractions.push(retraction);
    },
    prune: async () => 0,
    async save(facts) {
      state.during();
      if (state.away) throw new Error('away');
      batches.push(facts);
    },
  };
  return { store, batches, retractions, state };
}

describe('createFactWriter', () => {
  it('writes the newest fact of each domain and kind once, in one batch', async () => {
    const { store, batches } = storage();
    const writer = createFactWriter(store);
    for (const [domain, value] of [
      ['a.test', 1],
      ['b.test', 1],
      ['a.test', 2],
    ] as const) {
      writer.add(fact(domain, value));
    }
    await writer.buffer.flush();
    await writer.buffer.flush();
    assert.deepEqual(batches, [[fact('a.test', 2), fact('b.test', 1)]]);
  });

  it('flush resolves for every caller only after the batch in progress is written', async () => {
    const { store, batches } = storage();
    const arrived = Promise.withResolvers<void>();
    const writer = createFactWriter({
      ...store,
      async save(facts) {
        await arrived.promise;
        await store.save(facts);
      },
    });
    writer.add(fact('a.test', 1));
    const first = writer.buffer.flush();
    const second = writer.buffer.flush().then(() => batches.length);
    await new Promise(setImmediate);
    arrived.resolve();
    await first;
    assert.equal(await second, 1);
  });

  it('keeps facts while storage is unavailable and prefers newer ones learnt meanwhile [Q21]', async () => {
    const { store, batches, state } = storage();
    const writer = createFactWriter(store);
    writer.add(fact('a.test', 1));
    writer.add(fact('b.test', 1));
    state.away = true;
    state.during = () => writer.add(fact('a.test', 2));
    await assert.rejects(writer.buffer.flush(), /away/);
    state.away = false;
    state.during = () => {};
    await writer.buffer.flush();
    assert.deepEqual(batches, [[fact('a.test', 2), fact('b.test', 1)]]);
  });

  it('retracts facts in doubt as soon as storage is available', async () => {
    const { store, batches, retractions, state } = storage();
    const writer = createFactWriter(store);
    const doubt = { sinceMs: 0, untilMs: 10, all: false };
    writer.add(fact('denied.test', 'missing'));
    writer.add(fact('answered.test', 'strict'));
    writer.add({ ...fact('later.test', 'missing'), learntAtMs: 11 });
    writer.add({ ...fact('registered.test', null), kind: 'registration' });
    writer.retract(doubt);
    state.away = true;
    await assert.rejects(writer.buffer.flush(), /away/);
    state.away = false;
    await writer.buffer.flush();
    await writer.buffer.flush();
    assert.deepEqual(retractions, [doubt]);
    const written = batches.flat().map(({ domain }) => domain);
    assert.deepEqual(written, ['answered.test', 'later.test', 'registered.test']);
  });

  it('drops facts that are larger than any honest zone produces', async () => {
    const { store, batches } = storage();
    const writer = createFactWriter(store);
    const hosts = (length: number) => [{ hostname: 'x'.repeat(length), priority: 1 }];
    writer.add(fact('usual.test', hosts(4_000)));
    writer.add(fact('hostile.test', hosts(4_100)));
    await writer.buffer.flush();
    assert.deepEqual(
      batches.flat().map(({ domain }) => domain),
      ['usual.test'],
    );
  });

  it('bounds pending facts while storage is unavailable', async () => {
    const { store, batches } = storage();
    const writer = createFactWriter(store);
    for (let count = 0; count < 25_000; count += 1) writer.add(fact(`n${count}.test`, count));
    await writer.buffer.flush();
    assert.equal(batches[0]?.length, 20_000);
  });
});
