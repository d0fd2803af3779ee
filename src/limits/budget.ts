import { LateAnswer } from '../accounts/shared/shared-counts.ts';
import { timeoutAfterIo } from '../platform/timeout-after-io.ts';

/** Time that questions may take. After one that failed nobody waits until one has succeeded again. */
export interface Budget {
  /** Runs the question; rejects when it fails, takes too long, or when one before it did. */
  spend<T>(question: () => Promise<T>): Promise<T>;
  /** Runs it even so, to find out. */
  retry<T>(question: () => Promise<T>): Promise<T>;
  isAway(): boolean;
  /** Says that the next question would fail. */
  lose(error: unknown): void;
  /** For those who repeat a question: its failure was noted. */
  noted(error: unknown): void;
}

/** Told once when answers stop and once when they are back. */
export interface BudgetOptions {
  onAway(error: unknown): void;
  onBack(): void;
}

const budgetMs = 50;

/** Gives every question 50 ms. */
export function createBudget({ onAway, onBack }: BudgetOptions): Budget {
  let isAway = false;
  const lose = (error: unknown): void => {
    if (!isAway) onAway(error);
    isAway = true;
  };
  const retry = async <T>(question: () => Promise<T>): Promise<T> => {
    try {
      const answer = await inTime(question());
      if (isAway) onBack();
      isAway = false;
      return answer;
    } catch (error) {
      lose(error);
      throw error;
    }
  };
  return {
    spend: (question) => (isAway ? Promise.reject(new Error('it was away a moment ago')) : retry(question)),
    retry,
    isAway: () => isAway,
    lose,
    noted() {},
  };
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const patience = timeoutAfterIo(budgetMs, () => reject(new LateAnswer(`no answer within ${budgetMs} ms`, answer)));
  answer.then(resolve, reject).finally(patience.cancel);
  return promise;
}
