/** The CPU time that the regular expressions of one evaluation may take, in milliseconds. */
const regexBudgetMs = 20;

/** A time budget for the regular expressions of each evaluation; evaluations do not overlap. */
export interface RegexBudget {
  /** An evaluation begins. */
  begin(): void;
  /** Whether there is time for one more test; false counts a condition that stays unknown. */
  allows(): boolean;
}

export interface RegexClocks {
  readonly monotonicMs: () => number;
  /** CPU time of this thread; slower to read. */
  readonly processorMs: () => number;
}

/**
 * The budget is CPU time, not wall-clock time: on a busy machine the process may be descheduled for longer than the whole budget,
 * and the rule must still be evaluated. When the wall-clock time has passed, the CPU time decides.
 */
export function createRegexBudget({ monotonicMs, processorMs }: RegexClocks, onSkipped: () => void): RegexBudget {
  let isBegun = false;
  let isSpent = false;
  let askAtMs = 0;
  let endProcessorMs = 0;
  const hasTime = (): boolean => {
    if (!isBegun) {
      isBegun = true;
      askAtMs = monotonicMs() + regexBudgetMs;
      endProcessorMs = processorMs() + regexBudgetMs;
      return true;
    }
    if (isSpent) return false;
    const nowMs = monotonicMs();
    if (nowMs < askAtMs) return true;
    const leftMs = endProcessorMs - processorMs();
    askAtMs = nowMs + leftMs;
    isSpent = leftMs <= 0;
    return !isSpent;
  };
  return {
    begin() {
      isBegun = false;
      isSpent = false;
    },
    allows() {
      if (hasTime()) return true;
      onSkipped();
      return false;
    },
  };
}

/** No limit, for few and small rules. */
export const noBudget: RegexBudget = { begin() {}, allows: () => true };
