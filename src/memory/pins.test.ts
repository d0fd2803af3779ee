import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPin, Pinboard } from './pins.ts';

describe('notes that are pinned to an object', () => {
  it('notes that are pinned to an object are of one kind each, and the last one counts', () => {
    const [one, other] = [createPin<string>(), createPin<number>()];
    const board = new Pinboard();
    assert.equal(one.of(board), undefined);
    one.put(board, 'before');
    one.put(board, 'after');
    other.put(board, 7);
    assert.deepEqual([one.of(board), other.of(board), one.of(new Pinboard())], ['after', 7, undefined]);
  });

  it('notes that are pinned to an object are not those of its copy, and nobody else sees them', () => {
    const pin = createPin<string>();
    const board = new Pinboard();
    pin.put(board, 'note');
    assert.equal(pin.of({ ...board }), undefined);
    assert.deepEqual(Reflect.ownKeys(board), []);
  });

  it('notes that are pinned to an object which is no pinboard are lost', () => {
    const pin = createPin<string>();
    const object = {};
    pin.put(object, 'note');
    assert.equal(pin.of(object), undefined);
  });
});
