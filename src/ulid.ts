import { randomFillSync } from 'node:crypto';

/** The digits of Crockford's base 32. */
export const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Every pair of characters, so that one lookup encodes ten bits. */
const pairs = Array.from({ length: 1024 }, (_, bits) => alphabet.charAt(bits >> 5) + alphabet.charAt(bits & 31));
const pool = new Uint16Array(8 * 512);
let poolOffset = pool.length;
let lastMs = -1;
let lastPrefix = '';

/** A ULID in upper case: 48 bits of time and 80 random bits in Crockford's base 32 (the public ULID specification). */
export function ulid(nowMs: number): string {
  if (poolOffset === pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  if (nowMs !== lastMs) {
    lastPrefix = timePrefix(nowMs);
    lastMs = nowMs;
  }
  let text = lastPrefix;
  for (let index = 0; index < 8; index += 1) text += pairs[(pool[poolOffset++] ?? 0) & 1023];
  return text;
}

/** A ULID with 16 given bytes in place of the random ones. */
export function ulidOf(nowMs: number, bytes: Uint8Array): string {
  let text = timePrefix(nowMs);
  for (let index = 0; index < 16; index += 2)
    text += pairs[(((bytes[index] ?? 0) << 8) | (bytes[index + 1] ?? 0)) & 1023];
  return text;
}

function timePrefix(nowMs: number): string {
  // A fraction has no digits: the id would contain "undefined".
  if (!Number.isSafeInteger(nowMs) || nowMs < 0) throw new RangeError(`a ULID needs whole milliseconds, not ${nowMs}`);
  let prefix = '';
  for (let rest = nowMs, index = 0; index < 5; index += 1) {
    prefix = pairs[rest % 1024] + prefix;
    rest = Math.floor(rest / 1024);
  }
  return prefix;
}

/** When the object with this ULID was made. */
export function timeOfId(id: string): number {
  let timeMs = 0;
  for (const digit of id.slice(0, 10)) timeMs = timeMs * 32 + alphabet.indexOf(digit);
  return timeMs;
}

/** The smallest ULID of a moment: ids begin with their time, so a span of time is a span of ids. */
export function firstIdAt(atMs: number): string {
  return timePrefix(Math.max(0, Math.floor(atMs))).padEnd(26, '0');
}

/** The ULID that a text spells in any case, in upper case; null when it is none. Crockford's base 32 ignores case. */
export function ulidIn(text: string): string | null {
  if (isUlid(text)) return text;
  const id = text.toUpperCase();
  return isUlid(id) ? id : null;
}

/** True for 26 characters of Crockford's base 32 in upper case that fit 128 bits. */
export function isUlid(text: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
}
