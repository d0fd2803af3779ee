import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { retainedHeapBytes } from '../../test/retained-heap.ts';
import { detachedCopy } from './detached-copy.ts';

describe('detachedCopy', () => {
  it('returns the text, truncated to the maximum length', () => {
    assert.equal(detachedCopy('bücher.example'), 'bücher.example');
    assert.equal(detachedCopy('12345', 5), '12345');
    assert.equal(detachedCopy('123456', 5), '1234…');
  });

  it('does not keep the text alive that a slice was cut from', async () => {
    const kept: string[] = [];
    const bytes = await retainedHeapBytes(() => {
      for (let index = 0; index < 1_000; index++) {
        const long = `${index}${'x'.repeat(50_000)}`;
        kept.push(detachedCopy(long.slice(0, 100)));
      }
    });
    assert.equal(kept.length, 1_000);
    assert.ok(bytes < 5_000_000);
  });
});
