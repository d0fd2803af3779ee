import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTurns } from './turns.ts';

describe('long work in turns', () => {
  it('long work in turns goes on without a pause until its slice is over', () => {
    let nowMs = 0;
    const takeTurn = createTurns(() => nowMs);
    nowMs = 4.9;
    assert.equal(takeTurn(), null);
    nowMs = 5;
    assert.ok(takeTurn() instanceof Promise);
  });

  it('long work in turns goes on with one piece in each round of the event loop, however many there are', async () => {
    let nowMs = 0;
    let round = 0;
    let isOver = false;
    const count = () => {
      round += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const rounds: number[] = [];
    const piece = async () => {
      const takeTurn = createTurns(() => nowMs);
      for (let slice = 0; slice < 5; slice += 1) {
        nowMs += 5;
        await takeTurn();
        rounds.push(round);
      }
    };
    await Promise.all([piece(), piece(), piece()]);
    isOver = true;
    assert.equal(rounds.length, 15);
    assert.equal(new Set(rounds).size, 15, rounds.join(' '));
  });
});
