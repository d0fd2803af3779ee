import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type CachedAnswer, createCachedAnswers } from './dns-cached-answers.ts';

const limits = { maxEntries: 3, maxBytes: 10_000, maxEntryBytes: 5_000 };

function entry(...records: string[]): CachedAnswer<string> {
  const times = { writtenAtMs: 0, freshUntilMs: 1, quietUntilMs: 1, refreshFromMs: 1, failures: 0 };
  return { answer: { kind: 'records', records }, ...times };
}

describe('cache entries', () => {
  it('cached DNS answers are kept by name and type', () => {
    const entries = createCachedAnswers(limits);
    entries.set('a.test', 'A', entry('192.0.2.1'));
    entries.set('a.test', 'TXT', entry('text'));
    assert.deepEqual(entries.get('a.test', 'A')?.answer, { kind: 'records', records: ['192.0.2.1'] });
    assert.deepEqual(entries.get('a.test', 'TXT')?.answer, { kind: 'records', records: ['text'] });
    assert.equal(entries.get('a.test', 'AAAA'), null);
    assert.equal(entries.get('b.test', 'A'), null);
  });

  it('cached DNS answers are evicted oldest first, except those used since', () => {
    const entries = createCachedAnswers(limits);
    for (const name of ['a.test', 'b.test', 'c.test']) entries.set(name, 'A', entry(name));
    entries.get('a.test', 'A');
    entries.set('d.test', 'A', entry('d'));
    assert.equal(entries.count(), 3);
    assert.notEqual(entries.get('a.test', 'A'), null);
    assert.equal(entries.get('b.test', 'A'), null);
  });

  it('cached DNS answers do not keep an answer that is too large, and forget for the sake of bytes', () => {
    const entries = createCachedAnswers({ ...limits, maxEntries: 100 });
    entries.set('huge.test', 'TXT', entry('x'.repeat(3_000)));
    assert.equal(entries.get('huge.test', 'TXT'), null);
    for (let index = 0; index < 50; index++) entries.set(`n${index}.test`, 'TXT', entry('x'.repeat(1_000)));
    assert.ok(entries.bytes() <= 10_000);
    assert.ok(entries.count() > 0 && entries.count() < 10);
    assert.notEqual(entries.get('n49.test', 'TXT'), null);
  });

  it('cached DNS answers stay within their limits whatever is done, and count what they hold', () => {
    const step = fc.tuple(fc.nat(8), fc.constantFrom('A', 'TXT', 'AAAA'), fc.nat(60), fc.boolean());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const entries = createCachedAnswers({ maxEntries: 5, maxBytes: 2_000, maxEntryBytes: 360 });
        for (const [name, type, size, read] of steps) {
          if (read) entries.get(String(name), type);
          else entries.set(String(name), type, entry('x'.repeat(size)));
          assert.ok(entries.count() <= 5 && entries.bytes() <= 2_000);
        }
        const names = Array.from({ length: 9 }, (_, name) => String(name));
        const held = names.flatMap((name) => (['A', 'TXT', 'AAAA'] as const).map((type) => entries.get(name, type)));
        assert.equal(held.filter((found) => found !== null).length, entries.count());
      }),
    );
  });
});
