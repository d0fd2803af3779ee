import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAccountShares } from './account-shares.ts';

interface Second {
  readonly used: Readonly<Record<string, number>>;
  readonly waitedMs?: Readonly<Record<string, number>>;
}

/** Whether an account may be refused after so many seconds of the same. */
function isOverAfter(accountId: string, seconds: number, { used, waitedMs = {} }: Second, cpuPercent = 25): boolean {
  let nowMs = 0;
  const shares = createAccountShares(cpuPercent, () => nowMs);
  for (let second = 0; second < seconds; second += 1) {
    // In slices, as work that yields is charged.
    for (const [id, ms] of Object.entries(used)) for (let part = 0; part < 100; part += 1) shares.charge(id, ms / 100);
    for (const [id, ms] of Object.entries(waitedMs)) shares.waited(id, ms);
    nowMs += 1_000;
  }
  return shares.isOver(accountId);
}

describe("an account's share of the processor", () => {
  const greedy: Second = { used: { a: 900, b: 20 }, waitedMs: { a: 100, b: 100 } };

  it('an account is refused after 10 seconds above its share while others wait, and not before [D701]', () => {
    assert.deepEqual([isOverAfter('a', 9, greedy), isOverAfter('a', 10, greedy)], [false, true]);
    assert.equal(isOverAfter('b', 60, greedy), false);
  });

  it('an account alone is never refused, whatever it uses [D704]', () => {
    assert.equal(isOverAfter('a', 60, { used: { a: 1_000 }, waitedMs: { a: 5_000 } }), false);
  });

  it('an account is not refused while the work of others gets its turns without waiting', () => {
    assert.equal(isOverAfter('a', 60, { used: { a: 900, b: 20 }, waitedMs: { b: 20 } }), false);
  });

  it('an account is refused when its bursts hold the event loop while others have work', () => {
    let nowMs = 0;
    const shares = createAccountShares(25, () => nowMs);
    for (let second = 0; second < 10; second += 1) {
      for (let burst = 0; burst < 9; burst += 1) shares.charge('a', 100);
      shares.charge('b', 1);
      nowMs += 1_000;
    }
    assert.deepEqual([shares.isOver('a'), shares.isOver('b')], [true, false]);
  });

  it('accounts that share the processor equally are not refused', () => {
    assert.equal(isOverAfter('a', 60, { used: { a: 500, b: 500 }, waitedMs: { a: 500, b: 500 } }), false);
  });

  it('an account below the configured part of a processor is not refused, and 0 percent refuses none', () => {
    const modest: Second = { used: { a: 240, b: 1 }, waitedMs: { b: 100 } };
    assert.equal(isOverAfter('a', 60, modest), false);
    assert.equal(isOverAfter('a', 60, greedy, 0), false);
  });

  it('a second within its share ends the refusals', () => {
    let nowMs = 0;
    const shares = createAccountShares(25, () => nowMs);
    const pass = (seconds: number, ms: number): boolean => {
      for (let second = 0; second < seconds; second += 1) {
        shares.charge('a', ms);
        shares.waited('b', 100);
        nowMs += 1_000;
      }
      return shares.isOver('a');
    };
    assert.deepEqual([pass(10, 900), pass(1, 100), pass(9, 900), pass(1, 900)], [true, false, false, true]);
    nowMs += 2_000;
    assert.equal(shares.isOver('a'), false);
  });
});
