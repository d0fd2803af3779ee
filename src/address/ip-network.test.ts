import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { networkOf, parseNetwork } from './ip-network.ts';

describe('the network of an IP address', () => {
  for (const [text, expected] of [
    ['203.0.113.7', '203.0.113.0/24'],
    ['2001:db8:1:2::7', '2001:db8:1::/48'],
    ['::1', '::/48'],
    ['hmac:abc', null],
    ['', null],
  ] as const) {
    it(`the network of an IP address is ${expected} for "${text}"`, () => assert.equal(networkOf(text), expected));
  }

  for (const [text, expected] of [
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['203.0.113.9/24', '203.0.113.0/24'],
    ['2001:DB8:1::/48', '2001:db8:1::/48'],
    ['203.0.113.0/16', null],
    ['2001:db8::/24', null],
    ['203.0.113.0/24/24', null],
    ['203.0.113.0', null],
    ['example.com/24', null],
  ] as const) {
    it(`the network of an IP address is read from "${text}" as ${expected}`, () =>
      assert.equal(parseNetwork(text), expected));
  }
});
