import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../../http/endpoint.ts';

export { environments } from '../../http/endpoint.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefixes = {
  production: 'sp_prd_',
  staging: 'sp_stg_',
  development: 'sp_dev_',
  publishable: 'sp_pub_',
} as const satisfies Record<Environment | 'publishable', string>;
const randomLength = 22;
const checksumLength = 6;

/** Generates a key: prefix, 22 random characters, and a checksum that detects a mistyped key without a query. */
export function generateKey(kind: keyof typeof prefixes): string {
  let key: string = prefixes[kind];
  for (let index = 0; index < randomLength; index += 1) key += base62.charAt(randomInt(base62.length));
  return key + checksum(key);
}

/** Whether the text has the format of a generated or imported key; if not, no query is needed. */
export function isPossibleKey(key: string): boolean {
  if (!key.startsWith('sp_')) return isImportableKey(key);
  const body = key.slice(0, -checksumLength);
  return /^sp_(?:prd|stg|dev|pub)_[0-9A-Za-z]{28}$/.test(key) && checksum(body) === key.slice(-checksumLength);
}

/** Whether the text can be imported as a key: 16 to 128 printable ASCII characters, without the prefix of generated keys. */
export function isImportableKey(key: string): boolean {
  return !key.startsWith('sp_') && /^[\x21-\x7e]{16,128}$/.test(key);
}

/** The stored form of a key: enough to recognise the key, not to use it. */
export function keyDigest(key: string): { hash: string; prefix: string; last4: string } {
  return { hash: hash('sha256', key), prefix: key.startsWith('sp_') ? key.slice(0, 7) : '', last4: key.slice(-4) };
}

function checksum(text: string): string {
  let value = crc32(text);
  let digits = '';
  while (value > 0) {
    digits = base62.charAt(value % 62) + digits;
    value = Math.floor(value / 62);
  }
  return digits.padStart(checksumLength, '0');
}
