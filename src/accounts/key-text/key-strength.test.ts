import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { it } from 'node:test';
import { weaknessOf } from './key-strength.ts';

const weak: readonly [key: string, says: RegExp][] = [
  ['a'.repeat(16), /few different/],
  ['0'.repeat(32), /few different/],
  ['abababababababab', /few different/],
  ['aB3$xaB3$xaB3$xaB3$x', /few different/],
  ['password1password1', /sequence|over and over|word/],
  ['a1B2c3D4a1B2c3D4', /over and over/],
  ['0123456789abcdef', /sequence/],
  ['1234567890123456789', /sequence/],
  ['zyxwvutsrqponmlkji', /sequence/],
  ['internationalization', /word/],
  ['Internationalization', /word/],
  ['supersecretpassword', /word/],
  ['supersecretpassword2026', /word/],
  ['secret-password-key', /word/],
  ['password12345678', /word/],
  ['my_secret.password!2026', /word/],
  ['qwertyuiopasdfgh', /keyboard/],
  ['Qwertzuiop123456', /keyboard/],
  ['poiuytrewqlkjhgf', /keyboard/],
];
for (const [key, says] of weak) {
  it(`reports the weak key ${key}`, () => assert.match(weaknessOf(key) ?? '', says));
}

const alphabets: Readonly<Record<string, string>> = {
  hexadecimal: '0123456789abcdef',
  base62: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  base64url: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  base32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
};
for (const [name, alphabet] of Object.entries(alphabets)) {
  it(`reports almost no random key in ${name}`, () => {
    const make = () => Array.from({ length: 24 }, () => alphabet[randomInt(alphabet.length)]).join('');
    const refused = Array.from({ length: 5_000 }, make).filter((key) => weaknessOf(key) !== null);
    // Up to 0.4 % of random keys look like words; 1 % of 5,000 is seven standard deviations above that.
    assert.ok(refused.length <= 50, refused.join(' '));
  });
}

it('reports no random key with a prefix, and no UUID', () => {
  const random = randomBytes(12).toString('hex');
  for (const key of [`sk_live_${random}`, '7f9c24e8-3b12-4f5a-9c1d-8e2b6a7d4c30', `from-another-service-${random}`]) {
    assert.equal(weaknessOf(key), null, key);
  }
});
