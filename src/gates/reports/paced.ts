import { AppError } from '../../errors.ts';

/** Counts a call of an account; throws when it is one too many for this second. */
export type Paced = (accountId: string) => void;

/** So many calls a second for each account. */
export function createPaced(perSecond: number, monotonicMs: () => number): Paced {
  let second = Number.NaN;
  let calls = new Map<string, number>();
  return (accountId) => {
    const now = Math.floor(monotonicMs() / 1_000);
    if (now !== second) {
      second = now;
      calls = new Map();
    }
    const made = calls.get(accountId) ?? 0;
    if (made >= perSecond) throw new AppError('rate_limit_exceeded', { retryAfterSeconds: 1 });
    calls.set(accountId, made + 1);
  };
}
