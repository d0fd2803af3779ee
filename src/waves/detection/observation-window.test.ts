import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { madeWord, ObservationBlock, word } from '../../traffic/observation-block.ts';
import { bucketMs } from '../../traffic/windows.ts';
import { createObservationWindow } from './observation-window.ts';

const startMs = 6_000_000 * bucketMs;
const owner = 7;

/** A block with one decision about an address, some milliseconds after the start. */
function decision(address: number, afterMs: number, { action = 1, by = owner, domain = 5 } = {}): ObservationBlock {
  const block = new ObservationBlock();
  const place = block.add();
  const bucket = Math.floor((startMs + afterMs) / bucketMs);
  block.setHash(place + word.owner, { hi: 0, lo: by });
  block.setHash(place + word.address, { hi: 0, lo: address });
  block.setHash(place + word.domain, { hi: 0, lo: domain });
  block.set(place + word.bucket, bucket);
  block.set(place + word.made, madeWord(bucket, startMs + afterMs, 0, action));
  return block;
}

function windowOf(most: number, ...blocks: readonly ObservationBlock[]) {
  const window = createObservationWindow(most);
  for (const block of blocks) window.add(block, 0);
  const rows = () => window.rows(owner, startMs, () => null);
  const addresses = async (by = owner, sinceMs = 0) =>
    (await window.rows(by, startMs + sinceMs, () => null)).map(({ mailbox }) => mailbox);
  return { window, rows, addresses };
}

describe('the observation window', () => {
  it('returns rows in the order of their times, whichever process wrote first', async () => {
    const { addresses } = windowOf(100, decision(3, 300), decision(1, 100), decision(2, 200), decision(4, 300));
    assert.deepEqual(await addresses(), [1, 2, 3, 4]);
    assert.deepEqual(await addresses(owner, 200), [2, 3, 4]);
  });

  it('has no row for a failed decision', async () => {
    const { window, addresses } = windowOf(100, decision(1, 100, { action: 0 }));
    assert.deepEqual([await addresses(), window.size()], [[], 0]);
  });

  it('keeps which rows a wave has counted when others arrive before them', async () => {
    const { window, rows } = windowOf(100, decision(1, 100), decision(3, 300));
    for (const row of (await rows()).slice(-1)) row.wave = 5;
    window.add(decision(2, 200), 0);
    const found = (await rows()).map(({ mailbox, wave, action }) => [mailbox, wave, action]);
    assert.deepEqual(found, [
      [1, 0, 1],
      [2, 0, 1],
      [3, 5, 1],
    ]);
  });

  it('removes the rows of an erased address or domain', async () => {
    const { window, addresses } = windowOf(100, decision(1, 1), decision(2, 2, { domain: 6 }), decision(3, 3));
    window.erase(decision(3, 0), 0, 'address');
    assert.deepEqual(await addresses(), [1, 2]);
    window.erase(decision(9, 0, { domain: 6 }), 0, 'domain');
    assert.deepEqual(await addresses(), [1]);
  });

  it('drops the oldest rows of the largest environment beyond its bound', async () => {
    const own = Array.from({ length: 20 }, (_, index) => decision(index + 1, index));
    const { window, addresses } = windowOf(20, decision(99, 0, { by: 8 }), ...own);
    assert.deepEqual([(await addresses())[0], await addresses(8), window.size()], [3, [99], 19]);
  });

  it('drops old rows once they are a tenth, and environments without recent ones', async () => {
    const own = Array.from({ length: 20 }, (_, index) => decision(index + 1, index));
    const { window } = windowOf(100, decision(99, 0, { by: 8 }), ...own);
    window.dropBefore(startMs + 1);
    assert.deepEqual([window.count(owner), [...window.owners()]], [20, [owner]]);
    window.dropBefore(startMs + 2);
    assert.deepEqual([window.count(owner), window.size()], [18, 18]);
  });

  it('keeps rows when it shrinks and grows again', async () => {
    const own = Array.from({ length: 200 }, (_, index) => decision(index + 1, index));
    const { window, addresses } = windowOf(1_000, ...own);
    window.dropBefore(startMs + 190);
    for (let index = 200; index < 400; index += 1) window.add(decision(index + 1, index), 0);
    assert.deepEqual(
      await addresses(),
      Array.from({ length: 210 }, (_, index) => index + 191),
    );
  });
});
