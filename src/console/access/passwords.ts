import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { createSemaphore } from '../../platform/semaphore.ts';

/** Passwords, hashed so that guessing them from the database is expensive. */
export interface Passwords {
  /** `user` is signed in, so the reserved slot serves them. */
  hash(password: string, user: string): Promise<string>;
  /** Whether a password matches a hash; with null it takes as long and is false. */
  verify(password: string, stored: string | null, attempt?: Attempt): Promise<boolean>;
}

/** An attempt to sign in. */
export interface Attempt {
  /** The user, when they are known on this network; null when anyone could be attempting it. */
  readonly knownUser: string | null;
  /** Called when the slot is free; may abort the attempt by throwing. */
  begin(): Promise<void>;
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
/** Waiting attempts of unknown clients: about 15 seconds of work. */
const maxUnknown = 60;
const maxKnown = 20;
const anyone: Attempt = { knownUser: null, begin: async () => {} };

/** `cost` applies to new hashes; a stored one keeps its own. */
export function createPasswords(cost: HashCost = usualCost): Passwords {
  // Each hash takes its memory and a thread while it runs, so there are two slots. Attempts of unknown clients, however many, leave one
  // to users who have signed in from their network before.
  const open = createSemaphore(1, maxUnknown);
  const reserved = createSemaphore(1, maxKnown);
  const knownUsers = new Set<string>();

  const derive = async (
    password: string,
    salt: Buffer,
    { logN, r, p }: HashCost,
    attempt: Attempt,
  ): Promise<Buffer> => {
    // One attempt per user, so that no user fills the reserved queue.
    const user = attempt.knownUser === null || knownUsers.has(attempt.knownUser) ? null : attempt.knownUser;
    const semaphore = user === null ? open : reserved;
    if (user !== null) knownUsers.add(user);
    try {
      if (!(await semaphore.acquire())) throw new AppError('sign_in_throttled', { retryAfterSeconds: 5 });
      try {
        await attempt.begin();
        const N = 2 ** logN;
        // Composed and decomposed letters look the same to the user.
        return await scryptAsync(password.normalize('NFKC'), salt, { N, r, p, maxmem: 256 * N * r });
      } finally {
        semaphore.release();
      }
    } finally {
      if (user !== null) knownUsers.delete(user);
    }
  };
  return {
    async hash(password, user) {
      const salt = randomBytes(saltBytes);
      const key = await derive(password, salt, cost, { ...anyone, knownUser: user });
      return ['scrypt', cost.logN, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
    },
    async verify(password, stored, attempt = anyone) {
      const known = stored === null ? null : parse(stored);
      const key = await derive(password, known?.salt ?? randomBytes(saltBytes), known?.cost ?? cost, attempt);
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
