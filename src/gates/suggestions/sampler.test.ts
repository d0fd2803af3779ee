import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signalsFromFields } from '../../../test/gates/signals-from-fields.ts';
import { ulid } from '../../ulid.ts';
import { createExampleTable } from './example-table.ts';
import { createSampler } from './sampler.ts';

const signals = () => signalsFromFields({ 'email.local_part': 'jane' });

function sampled(ids: readonly string[], max: number) {
  const table = createExampleTable();
  const sampler = createSampler(table, max);
  const kept = new Map<number, string>();
  for (const id of ids) {
    const row = sampler.add(id, undefined, signals);
    if (row !== null) kept.set(row, id);
  }
  return { ids: table.rows.none.map((row) => kept.get(row)), scale: sampler.scales.none, size: table.size };
}

describe('the sampler', () => {
  const ids = Array.from({ length: 3_000 }, (_, index) => ulid(index));

  it('keeps every entry while there are few', () => {
    const { ids: kept, scale } = sampled(ids.slice(0, 100), 100);
    assert.deepEqual([kept, scale], [ids.slice(0, 100), 1]);
  });

  it('keeps a bounded number of entries, each of which stands for as many as its scale says', () => {
    const { ids: kept, scale, size } = sampled(ids, 100);
    assert.ok(kept.length <= 100 && kept.length >= 20, String(kept.length));
    assert.ok(Math.abs(kept.length * scale - ids.length) < ids.length / 2, `${kept.length} × ${scale}`);
    assert.ok(size < 800, `${size} entries were read`);
  });

  it('chooses the same entries every time, from the whole log', () => {
    const { ids: kept } = sampled(ids, 100);
    assert.deepEqual(sampled(ids, 100).ids, kept);
    const oldest = kept.filter((id) => ids.indexOf(id ?? '') >= 1_500).length;
    assert.ok(oldest > kept.length / 4 && oldest < (3 * kept.length) / 4, `${oldest} of ${kept.length}`);
  });

  it('does not read the signals of an entry that it leaves out', () => {
    const table = createExampleTable();
    const sampler = createSampler(table, 10);
    let reads = 0;
    for (const id of ids)
      sampler.add(id, 'good', () => {
        reads += 1;
        return signals();
      });
    assert.ok(reads < 200, String(reads));
    assert.deepEqual([sampler.scales.bad, sampler.scales.none], [1, 1]);
  });
});
