import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseIp } from '../address/ip.ts';
import { collectRanges, countIpv4, coversIp, type IpRanges, ipWords } from './ip-ranges.ts';

type Network = readonly [address: bigint, prefixLength: number];

/** Numbers that lie close to one another at both ends and in the middle, so that ranges meet and nest. */
function addresses(bits: number): fc.Arbitrary<bigint> {
  const last = (1n << BigInt(bits)) - 1n;
  const near = fc.tuple(fc.constantFrom(0n, last / 2n, last, 1n << BigInt(bits - 20)), fc.bigInt(-40n, 40n));
  return fc.oneof(
    fc.bigInt(0n, last),
    near.map(([base, offset]) => (base + offset + last + 1n) % (last + 1n)),
  );
}

function networks(bits: number): fc.Arbitrary<Network[]> {
  const length = fc.oneof(fc.integer({ min: bits - 6, max: bits }), fc.integer({ min: 0, max: bits }));
  return fc.array(fc.tuple(addresses(bits), length), { maxLength: 30 });
}

function words(address: bigint, bits: number): Uint32Array {
  return Uint32Array.from({ length: bits / 32 }, (_, i) =>
    Number((address >> BigInt(bits - 32 * (i + 1))) & 0xffffffffn),
  );
}

function rangesOf(list: readonly Network[], bits: number): IpRanges {
  const collector = collectRanges();
  for (const [address, length] of list) collector.add(words(address, bits), length);
  return collector.ranges();
}

function inside([network, length]: Network, address: bigint, bits: number): boolean {
  const hostBits = BigInt(bits - length);
  return network >> hostBits === address >> hostBits;
}

for (const bits of [32, 128]) {
  describe(`ranges of ${bits}-bit addresses`, () => {
    it(`ranges of ${bits}-bit addresses cover exactly the addresses of their networks`, () => {
      fc.assert(
        fc.property(networks(bits), fc.array(addresses(bits)), (list, others) => {
          const ranges = rangesOf(list, bits);
          for (const address of [...list.map(([start]) => start), ...others]) {
            const expected = list.some((network) => inside(network, address, bits));
            assert.equal(coversIp(ranges, words(address, bits)), expected);
          }
        }),
        { numRuns: 500 },
      );
    });

    it(`ranges of ${bits}-bit addresses are sorted and leave a hole between one and the next`, () => {
      fc.assert(
        fc.property(networks(bits), (list) => {
          const { width, count, starts, ends } = bits === 32 ? rangesOf(list, bits).v4 : rangesOf(list, bits).v6;
          const number = (array: Uint32Array, at: number) =>
            array.subarray(at * width, (at + 1) * width).reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
          for (let i = 1; i < count; i += 1) assert.ok(number(starts, i) > number(ends, i - 1) + 1n);
        }),
      );
    });
  });
}

describe('ranges', () => {
  it('IP ranges keep the versions apart: 1.2.3.4 is not 102:304::', () => {
    const collector = collectRanges();
    collector.add(wordsOf('102:304::'), 32);
    const ranges = collector.ranges();
    assert.equal(coversIp(ranges, wordsOf('1.2.3.4')), false);
    assert.equal(coversIp(ranges, wordsOf('102:304::9')), true);
  });

  it('IP ranges count their IPv4 addresses once each', () => {
    const collector = collectRanges();
    for (const [address, length] of [
      ['10.0.0.0', 24] as const,
      ['10.0.0.128', 25] as const,
      ['10.0.1.7', 32] as const,
    ]) {
      collector.add(wordsOf(address), length);
    }
    assert.equal(countIpv4(collector.ranges()), 257);
  });
});

function wordsOf(text: string): Uint32Array {
  const ip = parseIp(text);
  assert.ok(ip !== null);
  return ipWords(ip.bytes);
}
