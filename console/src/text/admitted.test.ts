import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { admittedText } from './admitted.ts';

const change = { from: 'block', to: 'allow', count: 40, good: 1, bad: 3 };

describe('what a change would have admitted', () => {
  it('counts the decisions that become allowed, and the bad ones among them', () => {
    const challenged = { from: 'challenge', to: 'allow', count: 2, good: 0, bad: 0 };
    const tested = { evaluated: 2_675, complete: true, changes: [change, challenged, { ...change, to: 'challenge' }] };
    assert.equal(
      admittedText(tested, null),
      'Would have allowed 42 more of 2,675 decisions, 3 of them known to be bad.',
    );
  });

  it('says when nothing else changes, and when only the newest decisions were tested', () => {
    assert.equal(
      admittedText({ evaluated: 10_000, complete: false, changes: [] }, null),
      'Would have allowed no more of the newest 10,000 decisions.',
    );
  });

  it('names the action of another rule that would still decide', () => {
    const tested = { evaluated: 10, complete: true, changes: [change] };
    assert.equal(admittedText(tested, 'challenge'), 'Not enough: another rule would still challenge them.');
  });
});
