import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MemberBlocks } from './member-blocks.ts';

const membersOf = (blocks: MemberBlocks, first: number): [number, number][] => {
  const members: [number, number][] = [];
  blocks.each(first, (member, seen) => members.push([member, seen]));
  return members.sort(([one], [other]) => one - other);
};

describe('member blocks', () => {
  it('keep the members of each chain apart, and reuse the blocks of released chains', () => {
    const change = fc.record({ chain: fc.integer({ min: 0, max: 4 }), isRelease: fc.integer({ min: 0, max: 9 }) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 400 }), (changes) => {
        const blocks = new MemberBlocks(100);
        const chains = Array.from({ length: 5 }, () => ({ first: 0, members: [] as [number, number][] }));
        let member = 0;
        for (const { chain, isRelease } of changes) {
          const own = chains[chain];
          assert.ok(own);
          if (isRelease === 0) {
            blocks.releaseChain(own.first);
            Object.assign(own, { first: 0, members: [] });
          } else if (!blocks.isFull) {
            member += 1;
            own.first = blocks.add(own.first, member, member % 512);
            own.members.push([member, member % 512]);
          }
        }
        for (const { first, members } of chains) assert.deepEqual(membersOf(blocks, first), members);
        for (const { first } of chains) blocks.releaseChain(first);
        let free = 0;
        for (; !blocks.isFull; free += 1) blocks.add(0, 1, 1);
        assert.equal(free, 100, 'a block was lost');
      }),
      { numRuns: 50, seed: 7 },
    );
  });

  it('keep negative members and the latest bucket', () => {
    const blocks = new MemberBlocks(1);
    const first = blocks.add(0, -5, 511);
    assert.deepEqual(membersOf(blocks, first), [[-5, 511]]);
  });

  it('are full without a block', () => {
    assert.ok(new MemberBlocks(0).isFull);
  });
});
