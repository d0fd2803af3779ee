/** Decides which accounts may be refused for their processing time. */
export interface AccountShares {
  /** Work of the account held the event loop for this long. */
  charge(accountId: string, ms: number): void;
  /** Work of the account waited this long for a turn. */
  waited(accountId: string, ms: number): void;
  /** Whether the account used more than its share in each of the last ten seconds while work of others waited. */
  isOver(accountId: string): boolean;
}

/** How many seconds in a row an account may use more than its share while others wait. */
const patienceSeconds = 10;
/** A turn that comes sooner counts as no waiting: other work ends its slices within this time. */
const unnoticedWaitMs = 20;

/** `cpuPercent`: the part of a processor that is every account's share, however many compete; 0 refuses no account. */
export function createAccountShares(cpuPercent: number, monotonicMs: () => number): AccountShares {
  let second = 0;
  let usedMs = new Map<string, number>();
  let waiting = new Set<string>();
  /** Accounts whose work held the event loop for so long that requests which arrived meanwhile waited. */
  let holding = new Set<string>();
  /** How many seconds in a row each account was over its share. */
  let overSeconds = new Map<string, number>();

  const endSecond = (): void => {
    const totalMs = usedMs.values().reduce((sum, ms) => sum + ms, 0);
    const competing = new Set([...usedMs.keys(), ...waiting]);
    const shareMs = Math.max(10 * cpuPercent, totalMs / competing.size);
    const madeOthersWait = (accountId: string): boolean =>
      holding.has(accountId) ? competing.size > 1 : waiting.difference(new Set([accountId])).size > 0;
    const over = [...usedMs].filter(([accountId, ms]) => ms > shareMs && madeOthersWait(accountId));
    overSeconds = new Map(over.map(([accountId]) => [accountId, (overSeconds.get(accountId) ?? 0) + 1]));
    usedMs = new Map();
    waiting = new Set();
    holding = new Set();
  };
  const advance = (): void => {
    const now = Math.floor(monotonicMs() / 1_000);
    if (now === second) return;
    endSecond();
    // No work was charged in the seconds between.
    if (now > second + 1) overSeconds = new Map();
    second = now;
  };
  return {
    charge(accountId, ms) {
      advance();
      usedMs.set(accountId, (usedMs.get(accountId) ?? 0) + ms);
      if (ms > unnoticedWaitMs) holding.add(accountId);
    },
    waited(accountId, ms) {
      advance();
      if (ms > unnoticedWaitMs) waiting.add(accountId);
    },
    isOver(accountId) {
      advance();
      return cpuPercent !== 0 && (overSeconds.get(accountId) ?? 0) >= patienceSeconds;
    },
  };
}
