/** A keyed 64-bit hash as two signed 32-bit halves, which V8 stores without boxing. */
export interface Hash {
  readonly hi: number;
  readonly lo: number;
}

export type KeyedHash = (text: string) => Hash;

/**
 * HalfSipHash-2-4 with 64 bits of output (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012, in its variant for
 * 32-bit words), over the UTF-16 code units of a text. Clients without the key cannot aim at a slot of the table or recognise an
 * address. An HMAC would take as long as the rest of a decision's counting.
 */
export function createKeyedHash(key: Uint8Array): KeyedHash {
  const halves = new DataView(key.buffer, key.byteOffset, 8);
  const k0 = halves.getInt32(0, true);
  const k1 = halves.getInt32(4, true);
  return (text) => {
    let a = k0;
    let b = k1 ^ 0xee;
    let c = k0 ^ 0x6c796765;
    let d = k1 ^ 0x74656462;
    let lo = 0;
    const words = (text.length >> 1) + 1;
    // The words of the text, the last of which has its length in bytes, and two steps that finish the hash.
    for (let step = 0; step < words + 2; step += 1) {
      const given = step < words ? wordOf(text, step, words) : 0;
      if (step === words) c ^= 0xee;
      else if (step > words) {
        lo = b ^ d;
        b ^= 0xdd;
      }
      d ^= given;
      for (let round = step < words ? 2 : 4; round > 0; round -= 1) {
        a = (a + b) | 0;
        b = ((b << 5) | (b >>> 27)) ^ a;
        a = (a << 16) | (a >>> 16);
        c = (c + d) | 0;
        d = ((d << 8) | (d >>> 24)) ^ c;
        a = (a + d) | 0;
        d = ((d << 7) | (d >>> 25)) ^ a;
        c = (c + b) | 0;
        b = ((b << 13) | (b >>> 19)) ^ c;
        c = (c << 16) | (c >>> 16);
      }
      a ^= given;
    }
    return { hi: b ^ d, lo };
  };
}

/**
 * These bits of a subject's hash are its owner's: they show which keys of a partition have the same owner. Neither half has them where
 * a table looks for a position: a partition takes the upper bits of `hi`, a large set the lower ones.
 */
const ownerBits: Hash = { hi: 0x1c000, lo: 0xf800 };

/** A text's hash under an owner: the same text means something else under another one. */
export function ownedHash(text: Hash, owner: Hash): Hash {
  return { hi: (text.hi & ~ownerBits.hi) ^ owner.hi, lo: (text.lo & ~ownerBits.lo) ^ owner.lo };
}

/** Owners are divided into this many groups. */
export const ownerGroups = 256;

/** The group of a key's owner, from the halves of its hash. */
export function ownerGroupOf(hi: number, lo: number): number {
  return ((hi & ownerBits.hi) >> 9) | ((lo & ownerBits.lo) >> 11);
}

function wordOf(text: string, index: number, words: number): number {
  const { length } = text;
  const at = index * 2;
  if (index + 1 < words) return text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16);
  return (at < length ? text.charCodeAt(at) : 0) | (length << 25);
}
