import { createUsedChallenges, type UsedChallenges } from './used-challenges.ts';

/** A challenge of ALTCHA's protocol (version 2): find the counter whose derived key starts with `keyPrefix`. */
export interface Challenge {
  readonly parameters: {
    readonly algorithm: string;
    readonly nonce: string;
    readonly salt: string;
    readonly cost: number;
    readonly keyLength: number;
    readonly keyPrefix: string;
    readonly data?: ChallengeData;
  };
  readonly signature: string;
}

/** The data that the signature binds a challenge to. */
type ChallengeData = {
  readonly email: string;
  /** The counter is at most this. */
  readonly max: number;
  /** The decision that asked for the challenge. */
  readonly decision: string | null;
};

/** How challenges are made. */
export interface ChallengesSettings {
  /** At least 32 characters, the same in every process. */
  readonly secret: string;
  /** Iterations of PBKDF2 for each attempt; 5,000 by default. */
  readonly cost?: number | undefined;
  /** The most attempts that a challenge takes; half as many are usual. 500 by default. */
  readonly maxAttempts?: number | undefined;
  /** How long a challenge may be solved; 600,000 by default. */
  readonly expiresInMs?: number | undefined;
  /** Which challenges were used; by default a list in this process. Several processes need a shared one. */
  readonly used?: UsedChallenges | undefined;
}

/** Issues challenges and verifies their solutions. */
export interface Challenges {
  /** `effort: 'none'` makes one that the first attempt solves: a pass for an address that was allowed. */
  issue(email: string, options?: { decisionId?: string | null; effort?: 'usual' | 'none' }): Promise<Challenge>;
  /** The challenge's decision when this solves an unused, unexpired challenge for the address; null otherwise. */
  verify(email: string, payload: unknown): Promise<{ readonly decisionId: string | null } | null>;
}

const minSecretLength = 32;
const maxPayloadLength = 4_096;

/** Creates challenges that need no third party, with the package `altcha-lib`, which must be installed. */
export function createChallenges(settings: ChallengesSettings): Challenges {
  const { secret, cost = 5_000, maxAttempts = 500, expiresInMs = 600_000, used = createUsedChallenges() } = settings;
  if (typeof secret !== 'string' || secret.length < minSecretLength) {
    throw new TypeError(`createChallenges needs a secret of at least ${minSecretLength} characters`);
  }
  const secrets = { hmacSignatureSecret: secret, hmacKeySignatureSecret: `${secret}:key` };
  return {
    async issue(email, { decisionId = null, effort = 'usual' } = {}) {
      const { createChallenge, randomInt, deriveKey } = await loadAltcha();
      const max = effort === 'none' ? 0 : maxAttempts - 1;
      const challenge = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost,
        counter: max === 0 ? 0 : randomInt(max, 1),
        deriveKey,
        data: { email, max, decision: decisionId },
        expiresAt: new Date(Date.now() + expiresInMs),
        ...secrets,
      });
      return challenge as Challenge;
    },
    async verify(email, payload) {
      const sent = readPayload(payload);
      if (sent === null) return null;
      const { verifySolution, deriveKey } = await loadAltcha();
      const { verified } = await verifySolution({ ...sent, deriveKey, ...secrets }).catch(() => ({ verified: false }));
      if (!verified) return null;
      const { data, nonce } = sent.challenge.parameters;
      if (data?.email !== email) return null;
      // Last, so that a wrong solution does not use up a challenge.
      return (await used.add(nonce, Date.now() + expiresInMs)) ? { decisionId: data.decision } : null;
    },
  };
}

interface SentSolution {
  readonly challenge: Challenge;
  readonly solution: { readonly counter: number; readonly derivedKey: string };
}

/** Base64 of a JSON object with a challenge and its solution; null for anything else. */
function readPayload(payload: unknown): SentSolution | null {
  if (typeof payload !== 'string' || payload.length > maxPayloadLength) return null;
  try {
    const { challenge, solution } = JSON.parse(atob(payload));
    return typeof challenge?.parameters === 'object' && typeof solution === 'object' ? { challenge, solution } : null;
  } catch {
    return null; // A payload that cannot be read solves nothing.
  }
}

async function loadAltcha() {
  try {
    const [altcha, { deriveKey }] = await Promise.all([
      import('altcha-lib'),
      import('altcha-lib/algorithms/web/pbkdf2'),
    ]);
    return { ...altcha, deriveKey };
  } catch (cause) {
    throw new Error('@signalpost/client/challenge needs the package altcha-lib: npm install altcha-lib', { cause });
  }
}
