import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { createSemaphore } from '../../platform/semaphore.ts';

/** Passwords, hashed so that guessing them from the database is expensive. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Whether a password matches a hash; with null it takes as long and is false. `begin` is called when its slot is free,
   * and may abort it by throwing.
   */
  verify(password: string, stored: string | null, begin?: () => Promise<void>): Promise<boolean>;
}

/** The cost of one hash: 128 · N · r bytes of memory, here 32 MiB, and the time of p rounds. */
export interface HashCost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

const usualCost: HashCost = { logN: 15, r: 8, p: 3 };
const keyBytes = 32;
const saltBytes = 16;
/** Each hash takes its memory and a thread while it runs. */
const atOnce = 2;
const mostWaiting = 20;

/** `cost` applies to new hashes; a stored one keeps its own. */
export function createPasswords(cost: HashCost = usualCost): Passwords {
  const semaphore = createSemaphore(atOnce, mostWaiting);
  const derive = async (
    password: string,
    salt: Buffer,
    { logN, r, p }: HashCost,
    begin?: () => Promise<void>,
  ): Promise<Buffer> => {
    if (!(await semaphore.acquire())) throw new AppError('sign_in_throttled', { retryAfterSeconds: 5 });
    try {
      await begin?.();
      const N = 2 ** logN;
      // Composed and decomposed letters look the same to the user.
      return await scryptAsync(password.normalize('NFKC'), salt, { N, r, p, maxmem: 256 * N * r });
    } finally {
      semaphore.release();
    }
  };
  return {
    async hash(password) {
      const salt = randomBytes(saltBytes);
      const key = await derive(password, salt, cost);
      return ['scrypt', cost.logN, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
    },
    async verify(password, stored, begin) {
      const known = stored === null ? null : parse(stored);
      const key = await derive(password, known?.salt ?? randomBytes(saltBytes), known?.cost ?? cost, begin);
      return known !== null && timingSafeEqual(key, known.key);
    },
  };
}

function parse(stored: string): { cost: HashCost; salt: Buffer; key: Buffer } {
  const [kind, logN, r, p, salt = '', key = ''] = stored.split('$');
  if (kind !== 'scrypt') throw new Error(`a password is stored in a way that is not known: ${kind}`);
  return {
    cost: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  };
}

function scryptAsync(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, keyBytes, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}
