/** What the regular expressions of one evaluation may take, in milliseconds. */
const regexBudgetMs = 20;

/** Time for regular expressions, the same for each evaluation; evaluations come one after the other. */
export interface RegexBudget {
  /** An evaluation begins. */
  begin(): void;
  /** Whether there is time for one more test; false counts a condition that stays unknown. */
  allows(): boolean;
}

/** What a budget is measured with. */
export interface RegexClocks {
  readonly monotonicMs: () => number;
  /** What this thread has computed; slower to ask. */
  readonly processorMs: () => number;
}

/**
 * A budget of computing, not of waiting: on a busy machine the process may be put aside for longer than the whole budget,
 * and a rule must not stop holding for that. So when the time has passed, what was computed in it decides.
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

/** No limit, for rules that are known to be few and small. */
export const noBudget: RegexBudget = { begin() {}, allows: () => true };
