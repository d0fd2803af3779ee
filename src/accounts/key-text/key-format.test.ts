import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Environment } from '../../http/endpoint.ts';
import { environments, generateKey, isImportableKey, isPossibleKey, keyDigest } from './key-format.ts';

const anyEnvironment = fc.constantFrom(...environments);

describe('a generated key', () => {
  it('a generated key is the prefix of its environment and 28 base62 characters [D22 D24]', () => {
    const shapes: Record<Environment, RegExp> = {
      production: /^sp_prd_[0-9A-Za-z]{28}$/,
      staging: /^sp_stg_[0-9A-Za-z]{28}$/,
      development: /^sp_dev_[0-9A-Za-z]{28}$/,
    };
    for (const environment of environments) assert.match(generateKey(environment), shapes[environment]);
  });

  it('a publishable key has its own prefix in every environment [D603]', () => {
    const key = generateKey('publishable');
    assert.match(key, /^sp_pub_[0-9A-Za-z]{28}$/);
    assert.equal(isPossibleKey(key), true);
    assert.equal(isPossibleKey(key.replace('pub', 'prd')), false);
    assert.equal(keyDigest(key).prefix, 'sp_pub_');
  });

  it('a generated key ends in the zero-padded base62 CRC-32 of the characters before it [D25]', () => {
    const crc = (text: string): number => {
      let value = 0xffff_ffff;
      for (const byte of Buffer.from(text)) {
        value ^= byte;
        for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
      }
      return (value ^ 0xffff_ffff) >>> 0;
    };
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    fc.assert(
      fc.property(anyEnvironment, (environment) => {
        const key = generateKey(environment);
        const value = [...key.slice(-6)].reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0);
        assert.equal(value, crc(key.slice(0, -6)));
      }),
    );
  });

  it('a generated key is unique', () => {
    const keys = new Set(Array.from({ length: 1_000 }, () => generateKey('production')));
    assert.equal(keys.size, 1_000);
  });

  it('a generated key with any one character changed is rejected without a query [D26]', () => {
    fc.assert(
      fc.property(anyEnvironment, fc.nat({ max: 27 }), fc.stringMatching(/^[0-9A-Za-z]$/), (environment, at, other) => {
        const key = generateKey(environment);
        const index = 7 + at;
        fc.pre(key[index] !== other);
        assert.equal(isPossibleKey(key.slice(0, index) + other + key.slice(index + 1)), false);
        assert.equal(isPossibleKey(key), true);
      }),
    );
  });

  it('a key that starts with sp_ is rejected when its prefix or length is wrong', () => {
    const key = generateKey('production');
    for (const other of [key.replace('prd', 'dev'), key.replace('prd', 'xyz'), key.slice(0, -1), `${key}0`, 'sp_']) {
      assert.equal(isPossibleKey(other), false, other);
    }
  });
});

describe('an imported key', () => {
  it('an imported key has 16 to 128 printable ASCII characters and does not start with sp_ [D29]', () => {
    for (const key of [
      '0123456789abcdef',
      'x'.repeat(128),
      '!~'.repeat(8),
      'SP_0123456789abcdef',
      'Bearer-is-a-word!',
    ]) {
      assert.equal(isImportableKey(key), true, key);
      assert.equal(isPossibleKey(key), true, key);
    }
    const wrong = ['', 'x'.repeat(15), 'x'.repeat(129), 'sp_0123456789abcdef', `${'x'.repeat(16)} `, 'ключ'.repeat(5)];
    for (const key of [...wrong, `${'x'.repeat(16)}\n`, `${'x'.repeat(16)}\x7f`]) {
      assert.equal(isImportableKey(key), false, key);
      assert.equal(isPossibleKey(key), false, key);
    }
  });
});

describe('the stored form of a key', () => {
  it('the stored form of a key is its SHA-256, its prefix and its last four characters [D27]', () => {
    const key = generateKey('staging');
    const hash = createHash('sha256').update(key).digest('hex');
    assert.deepEqual(keyDigest(key), { hash, prefix: 'sp_stg_', last4: key.slice(-4) });
    assert.equal(keyDigest('imported-from-elsewhere').prefix, '');
  });
});
