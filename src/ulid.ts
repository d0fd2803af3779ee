import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const pool = new Uint8Array(16 * 256);
let poolOffset = pool.length;

/** A ULID in upper case: 48 bits of time and 80 random bits in Crockford's base 32 (the public ULID specification). */
export function ulid(nowMs: number): string {
  if (poolOffset + 16 > pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  let text = '';
  let time = nowMs;
  for (let index = 0; index < 10; index += 1) {
    text = alphabet.charAt(time % 32) + text;
    time = Math.floor(time / 32);
  }
  for (let index = 0; index < 16; index += 1) text += alphabet.charAt((pool[poolOffset++] ?? 0) & 31);
  return text;
}

/** True for 26 characters of Crockford's base 32 in upper case that fit 128 bits. */
export function isUlid(text: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
}
