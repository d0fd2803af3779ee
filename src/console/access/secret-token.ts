import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Tokens of one purpose: created here, verified without a query, stored as a hash. */
export interface SecretTokens {
  create(): string;
  /** The hash to store for a token; null for one that our secret did not sign, so that a forged one costs no query. */
  hashOf(token: string): string | null;
}

const randomLength = 43;
const proofBytes = 12;
const shape = /^[\w-]{59}$/;

/** 256 random bits, and a signature for this installation and purpose. */
export function createSecretTokens(secret: string, purpose: 'session' | 'link'): SecretTokens {
  const proofOf = (random: string): string =>
    createHmac('sha256', secret).update(`${purpose} ${random}`).digest().subarray(0, proofBytes).toString('base64url');
  return {
    create() {
      const random = randomBytes(32).toString('base64url');
      return random + proofOf(random);
    },
    hashOf(token) {
      if (!shape.test(token)) return null;
      const random = token.slice(0, randomLength);
      const isOurs = timingSafeEqual(Buffer.from(token.slice(randomLength)), Buffer.from(proofOf(random)));
      return isOurs ? hash('sha256', token) : null;
    },
  };
}
