import { grouped } from './numbers.ts';

/** From here on a plan's limit is a number that no installation reaches. */
const unreachable = { credits: 1e9, requestsPerSecond: 1e6 } as const;

export const noLimit = 'no limit';

/** A plan's limit, or "no limit" where it is out of reach, as it is for the self-hosted plan. */
export const limitText = (limit: number, kind: keyof typeof unreachable): string =>
  limit >= unreachable[kind] ? noLimit : grouped(limit);
