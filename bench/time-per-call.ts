import { settleGarbage } from './collect-garbage.ts';
import { paced } from './pace.ts';
import type { Row } from './row.ts';

/** One way to do the work that is timed. */
export interface Candidate<T> {
  readonly name: string;
  readonly call: (input: T) => unknown;
  /** The call returns a promise, and is over when it settles. */
  readonly isAsync?: boolean;
  /** Calls a round, for what is too slow for all inputs. */
  readonly most?: number;
  readonly goal?: string;
}

/** Short and many: on a busy machine a few are interrupted, and the median is none of them. */
const rounds = paced(25, 3);

/** What calls came to, kept where the compiler cannot prove that nobody looks. */
export const sink = { truthy: 0 };

/**
 * Times the candidates in turns, round after round, and takes each one's median. The first is the baseline of the
 * ratios. Each turn starts with a pass that is not counted, so that no candidate pays for the caches the one before it
 * filled. `makeInputs` makes new strings for every pass: a service never meets the same string object twice, and the
 * engine keeps a string's hash.
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
      settleGarbage();
      await time(candidate, warmUp);
      settleGarbage();
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

/** The same text in a new string object, as it comes out of a request. */
export function freshText(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
