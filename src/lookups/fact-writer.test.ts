import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFactWriter } from './fact-writer.ts';
import type { Fact } from './facts-store.ts';

const fact = (domain: string, value: unknown): Fact => ({ domain, kind: 'spf', value, source: 'dns', learntAtMs: 0 });

/** A storage that fails as long as it is told to. */
function storage() {
  const batches: (readonly Fact[])[] = [];
  const state = { away: false, during: () => {} };
  const store = {
    async save(facts: readonly Fact[]) {
      state.during();
      if (state.away) throw new Error('away');
      batches.push(facts);
    },
  };
  return { store, batches, state };
}

const prove = async () => true;

describe('createFactWriter', () => {
  it('writes the newest fact of each domain and kind once, in one batch', async () => {
    const { store, batches } = storage();
    const writer = createFactWriter({ store, prove });
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
    const save = async (facts: readonly Fact[]) => {
      await arrived.promise;
      await store.save(facts);
    };
    const writer = createFactWriter({ store: { save }, prove });
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
    const writer = createFactWriter({ store, prove });
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

  it('writes facts from the DNS only after a proof that began after they were learnt', async () => {
    const { store, batches } = storage();
    const proofs: boolean[] = [];
    const written: string[] = [];
    const writer = createFactWriter({
      store,
      async prove() {
        writer.add(fact('later.test', 'strict'));
        return proofs.shift() ?? true;
      },
      onWritten: (facts) => written.push(...facts.map(({ domain }) => domain)),
    });
    writer.add(fact('earlier.test', 'strict'));
    await writer.buffer.flush();
    assert.deepEqual(batches, [[fact('earlier.test', 'strict')]]);
    assert.deepEqual(written, ['earlier.test']);
    assert.equal(writer.buffer.pending(), 1, 'later.test waits for the next proof');
  });

  it('drops facts from the DNS when a server does not prove itself, and keeps those of registries', async () => {
    const { store, batches } = storage();
    const writer = createFactWriter({ store, prove: async () => false });
    const registered: Fact = { ...fact('registered.test', null), kind: 'registration' };
    writer.add(fact('denied.test', 'missing'));
    writer.add(registered);
    await writer.buffer.flush();
    writer.add(fact('invented.test', 'strict'));
    writer.dropUnproven();
    assert.equal(writer.buffer.pending(), 0);
    assert.deepEqual(batches, [[registered]]);
  });

  it('drops facts that are larger than any honest zone produces', async () => {
    const { store, batches } = storage();
    const writer = createFactWriter({ store, prove });
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
    const writer = createFactWriter({ store, prove });
    for (let count = 0; count < 25_000; count += 1) writer.add(fact(`n${count}.test`, count));
    await writer.buffer.flush();
    assert.equal(batches[0]?.length, 20_000);
  });
});
