import type { Challenge } from '../challenge/challenges.ts';

/** How a challenge is solved. */
export interface SolveOptions {
  /** Called with the attempted part of a challenge, 0 to 1. */
  readonly onProgress?: ((part: number) => void) | undefined;
}

/** The solution of a challenge, found in a worker, as a guard accepts it. */
export async function solveChallenge(challenge: Challenge, { onProgress }: SolveOptions = {}): Promise<string> {
  const solution = await inWorker(challenge, onProgress).catch(() => findCounter(challenge, onProgress));
  return btoa(JSON.stringify({ challenge, solution }));
}

type Solution = Awaited<ReturnType<typeof findCounter>>;

/** Rejects where a policy allows no worker from a blob. */
function inWorker(challenge: Challenge, onProgress?: (part: number) => void): Promise<Solution> {
  return new Promise((resolve, reject) => {
    const answer = 'find(data,(part)=>postMessage({part})).then((found)=>postMessage({found}))';
    const source = `const find=${findCounter};onmessage=({data})=>${answer}`;
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const worker = new Worker(url);
    worker.onerror = reject;
    worker.onmessage = ({ data }) => {
      if (data.found === undefined) return onProgress?.(data.part);
      worker.terminate();
      URL.revokeObjectURL(url);
      resolve(data.found);
    };
    worker.postMessage(challenge);
  });
}

/** Tries counters, some at a time: browsers derive keys outside the thread of the page. Its text runs in a worker, so it uses globals only. */
async function findCounter({ parameters }: Challenge, onProgress?: (part: number) => void) {
  const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const { nonce, salt, cost, keyLength, keyPrefix, data } = parameters;
  const attempt = async (counter: number) => {
    const password = new Uint8Array([...bytesOf(nonce), 0, 0, 0, 0]);
    new DataView(password.buffer).setUint32(password.length - 4, counter);
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
    const settings = { name: 'PBKDF2', salt: bytesOf(salt), iterations: cost, hash: 'SHA-256' };
    const bits = new Uint8Array(await crypto.subtle.deriveBits(settings, key, keyLength * 8));
    return { counter, derivedKey: Array.from(bits, (byte) => byte.toString(16).padStart(2, '0')).join('') };
  };
  const together = Math.min(4, globalThis.navigator?.hardwareConcurrency || 1);
  for (let next = 0; ; next += together) {
    onProgress?.(Math.min(1, next / (data?.max || 1)));
    const tried = await Promise.all(Array.from({ length: together }, (_, index) => attempt(next + index)));
    const found = tried.find(({ derivedKey }) => derivedKey.startsWith(keyPrefix));
    if (found !== undefined) return found;
  }
}
