import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPlaces } from './places.ts';

describe('places', () => {
  it('places in a queue are given at once while there are some, then in the order of the queue', async () => {
    const places = createPlaces(1, 2);
    const { signal } = new AbortController();
    assert.equal(places.enter(signal), true);
    const order: number[] = [];
    const first = Promise.resolve(places.enter(signal)).then(() => order.push(1));
    const second = Promise.resolve(places.enter(signal)).then(() => order.push(2));
    assert.deepEqual([places.taken(), places.waiting()], [1, 2]);
    places.leave();
    await first;
    places.leave();
    await second;
    assert.deepEqual(order, [1, 2]);
    assert.equal(places.taken(), 1);
    places.leave();
    assert.equal(places.taken(), 0);
  });

  it('places in a queue are refused when the queue is full', () => {
    const places = createPlaces(1, 0);
    const { signal } = new AbortController();
    places.enter(signal);
    assert.equal(places.enter(signal), false);
  });

  it('places in a queue are not given to someone who left the queue', async () => {
    const places = createPlaces(1, 1);
    const stays = new AbortController();
    const leaves = new AbortController();
    places.enter(stays.signal);
    const waiting = places.enter(leaves.signal);
    leaves.abort();
    assert.equal(await waiting, false);
    assert.equal(places.enter(leaves.signal), false);
    assert.equal(places.waiting(), 0);
    places.leave();
    assert.equal(places.taken(), 0);
  });
});
