import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { createAddressKeys } from './address-key.ts';

describe('the key of an address', () => {
  const plain = createAddressKeys('plain', ['secret']);
  const hashed = createAddressKeys('hashed', ['secret']);
  const address = ['Jane+X', 'example.com'] as const;

  it('the key of an address in the decision log is the address in lower case, or its HMAC-SHA-256', () => {
    assert.equal(plain.keyOf(...address), 'jane+x@example.com');
    const digest = createHmac('sha256', 'secret').update('jane+x@example.com').digest('hex');
    assert.equal(hashed.keyOf(...address), `hmac:${digest}`);
  });

  it('the key of an address in the decision log depends on the secret', () => {
    assert.notEqual(createAddressKeys('hashed', ['other']).keyOf(...address), hashed.keyOf(...address));
  });

  it('the key of an address in the decision log is searched for in both forms, so that entries from before a change of the setting are found', () => {
    for (const keys of [plain, hashed]) {
      assert.deepEqual(keys.all('JANE+x', 'example.com'), [plain.keyOf(...address), hashed.keyOf(...address)]);
    }
  });

  it('the key of an address in the decision log is the same however its letters are composed [D309]', () => {
    for (const keys of [plain, hashed]) {
      assert.equal(keys.keyOf('zo\u00eb', 'example.com'), keys.keyOf('Zoe\u0308', 'example.com'));
    }
  });

  it('the key of an address in the decision log is searched for under earlier secrets too, and kept under the newest', () => {
    const both = createAddressKeys('hashed', ['new', 'secret']);
    assert.deepEqual(both.all(...address), [plain.keyOf(...address), both.keyOf(...address), hashed.keyOf(...address)]);
  });

  it('the key of an IP address in the decision log is the address, or its HMAC-SHA-256, searched for in both forms', () => {
    const digest = createHmac('sha256', 'secret').update('203.0.113.7').digest('hex');
    assert.deepEqual([plain.ipKeyOf('203.0.113.7'), hashed.ipKeyOf('203.0.113.7')], ['203.0.113.7', `hmac:${digest}`]);
    assert.deepEqual(plain.allIps('203.0.113.7'), ['203.0.113.7', `hmac:${digest}`]);
  });
});
