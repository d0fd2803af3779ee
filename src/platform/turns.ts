/** The clock and timers of turns, and the pause that work owes. */
export interface TurnOptions {
  nowMs(): number;
  /** How long low-priority work pauses for each millisecond of processor time that it used. */
  pausePerMs(): number;
  sleep(ms: number): Promise<unknown>;
  /** Resolves in the next iteration of the event loop. */
  nextIteration(): Promise<unknown>;
}

/** Distributes the event loop between the low-priority work of accounts: one turn at a time, to the account that used least. */
export interface Turns {
  /** Resolves when work of the account may hold the event loop. */
  wait(accountId: string): Promise<void>;
  /** Work of the account used so much processor time. */
  charge(accountId: string, ms: number): void;
}

/** Work yields after this time; the part of a longer burst beyond it delays only its own account. */
export const sliceMs = 5;
/** How far an account that held the event loop for longer is set back. */
const maxOwnPauseMs = 200;
/** Pauses shorter than this are skipped: short work should not wait. */
const skippedPauseMs = 20;

interface Account {
  readonly waiting: (() => void)[];
  /** Processor time on a scale that all accounts share: an account that was idle starts where the others are. */
  usedMs: number;
  pausedUntilMs: number;
}

export function createTurns({ nowMs, pausePerMs, sleep, nextIteration }: TurnOptions): Turns {
  const accounts = new Map<string, Account>();
  /** `usedMs` of the account whose turn was last. */
  let levelMs = 0;
  /** The pause that all accounts owe; a short one is added to those of the next turns. */
  let owedMs = 0;
  let idleSinceMs = 0;
  let isServing = false;

  const accountOf = (accountId: string): Account => {
    const known = accounts.get(accountId);
    if (known !== undefined) return known;
    const account = { waiting: [], usedMs: levelMs, pausedUntilMs: 0 };
    accounts.set(accountId, account);
    return account;
  };
  const removeIdle = (): void => {
    const atMs = nowMs();
    for (const [id, { waiting, usedMs, pausedUntilMs }] of accounts)
      if (waiting.length === 0 && usedMs <= levelMs && pausedUntilMs <= atMs) accounts.delete(id);
  };
  const waitingAccounts = (): Account[] => [...accounts.values()].filter(({ waiting }) => waiting.length > 0);

  const serve = async (): Promise<void> => {
    isServing = true;
    owedMs = Math.max(0, owedMs - (nowMs() - idleSinceMs));
    for (;;) {
      // Requests that arrived during the last turn are read in the first iteration and start in the second.
      await nextIteration();
      await nextIteration();
      if (owedMs > skippedPauseMs) {
        const pauseMs = owedMs;
        owedMs = 0;
        await sleep(pauseMs);
      }
      const waiting = waitingAccounts();
      if (waiting.length === 0) break;
      const atMs = nowMs();
      const ready = waiting.filter(({ pausedUntilMs }) => pausedUntilMs - skippedPauseMs <= atMs);
      if (ready.length === 0) {
        await sleep(Math.min(...waiting.map(({ pausedUntilMs }) => pausedUntilMs)) - skippedPauseMs - atMs);
        continue;
      }
      const next = ready.reduce((least, account) => (account.usedMs < least.usedMs ? account : least));
      levelMs = Math.max(levelMs, next.usedMs);
      next.waiting.shift()?.();
    }
    isServing = false;
    idleSinceMs = nowMs();
    removeIdle();
  };

  return {
    wait(accountId) {
      const account = accountOf(accountId);
      if (account.waiting.length === 0) account.usedMs = Math.max(account.usedMs, levelMs);
      const { promise, resolve } = Promise.withResolvers<void>();
      account.waiting.push(resolve);
      if (!isServing) void serve();
      return promise;
    },
    charge(accountId, ms) {
      const account = accountOf(accountId);
      const atMs = nowMs();
      const perMs = pausePerMs();
      account.usedMs = Math.min(account.usedMs + ms, levelMs + maxOwnPauseMs);
      account.pausedUntilMs = pausedUntil(account.pausedUntilMs, atMs, ms * perMs, maxOwnPauseMs);
      owedMs = Math.min(owedMs + Math.min(ms, sliceMs) * perMs, sliceMs * perMs + skippedPauseMs);
    },
  };
}

const pausedUntil = (untilMs: number, atMs: number, moreMs: number, maxMs: number): number =>
  Math.min(Math.max(untilMs, atMs) + moreMs, atMs + maxMs);
