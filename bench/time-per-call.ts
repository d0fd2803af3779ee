import { promoteLiveObjects } from './collect-garbage.ts';
import { paced } from './pace.ts';
import type { Row } from './row.ts';

/** One way to do the work that is timed. */
export interface Candidate<T> {
  readonly name: string;
  readonly call: (input: T) => unknown;
  /** The call returns a promise and ends with it. */
  readonly isAsync?: boolean;
  /** Calls per round, for candidates that are too slow for all inputs. */
  readonly most?: number;
  readonly goal?: string;
}

/** Many short rounds: a busy machine interrupts a few, which the median excludes. */
const rounds = paced(25, 3);

/** The results of calls, stored so that the compiler cannot remove them as unused. */
export const sink = { truthy: 0 };

/**
 * Times the candidates alternately and takes each one's median. The first is the baseline of the ratios. Each turn starts with
 * an uncounted pass, so that no candidate pays for the caches that the previous one filled. `makeInputs` creates new strings
 * for every pass: a service never sees the same string object twice, and the engine caches a string's hash.
 */
export async function timePerCall<T>(
  what: string,
  candidates: readonly Candidate<T>[],
  makeInputs: () => readonly T[],
): Promise<Row[]> {
  const times = candidates.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, candidate] of candidates.entries()) {
      const [warmUp, inputs] = [makeInputs(), makeInputs()].map((made) => made.slice(0, candidate.most)) as [T[], T[]];
      promoteLiveObjects();
      await time(candidate, warmUp);
      promoteLiveObjects();
      times[index]?.push((await time(candidate, inputs)) / inputs.length);
    }
  }
  const medians = times.map(median);
  return candidates.map(({ name, goal }, index) => ({
    what: `${what}: ${name}`,
    value: medians[index] ?? Number.NaN,
    unit: 'µs',
    ratio: (medians[index] ?? Number.NaN) / (medians[0] ?? Number.NaN),
    ...(goal === undefined ? {} : { goal }),
  }));
}

async function time<T>(candidate: Candidate<T>, inputs: readonly T[]): Promise<number> {
  return candidate.isAsync === true ? timeAsync(candidate, inputs) : timeSync(candidate, inputs);
}

function timeSync<T>({ call }: Candidate<T>, inputs: readonly T[]): number {
  let truthy = 0;
  const startMs = performance.now();
  for (const input of inputs) if (call(input)) truthy += 1;
  const tookMs = performance.now() - startMs;
  sink.truthy += truthy;
  return tookMs * 1_000;
}

async function timeAsync<T>({ call }: Candidate<T>, inputs: readonly T[]): Promise<number> {
  let truthy = 0;
  const startMs = performance.now();
  for (const input of inputs) if (await call(input)) truthy += 1;
  const tookMs = performance.now() - startMs;
  sink.truthy += truthy;
  return tookMs * 1_000;
}

/** The middle value. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The same text in a new string object, as in a request. */
export function freshText(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
