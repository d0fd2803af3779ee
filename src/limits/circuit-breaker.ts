import { timeoutAfterIo } from '../platform/time/timeout-after-io.ts';

/** Limits each call to 50 ms. A failed call opens the breaker, which then rejects calls immediately until a probe succeeds. */
export interface CircuitBreaker {
  /** Runs the call; rejects when it fails or takes too long, and immediately while the breaker is open. */
  run<T>(call: () => Promise<T>): Promise<T>;
  /** Runs the call even while the breaker is open, and closes it on success. */
  probe<T>(call: () => Promise<T>): Promise<T>;
  isOpen(): boolean;
  /** Opens the breaker: the next call would fail. */
  open(error: unknown): void;
}

/** `onOpen` runs once when the breaker opens, `onClosed` once when it closes again. */
export interface CircuitBreakerOptions {
  onOpen(error: unknown): void;
  onClosed(): void;
}

const timeoutMs = 50;

export function createCircuitBreaker({ onOpen, onClosed }: CircuitBreakerOptions): CircuitBreaker {
  let isOpen = false;
  const open = (error: unknown): void => {
    if (!isOpen) onOpen(error);
    isOpen = true;
  };
  const probe = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      const answer = await withTimeout(call());
      if (isOpen) onClosed();
      isOpen = false;
      return answer;
    } catch (error) {
      open(error);
      throw error;
    }
  };
  return {
    run: (call) => (isOpen ? Promise.reject(new Error('an earlier call failed')) : probe(call)),
    probe,
    isOpen: () => isOpen,
    open,
  };
}

/** Rejects when there is no answer within 50 ms. */
export function withTimeout<T>(answer: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timeout = timeoutAfterIo(timeoutMs, () => reject(new Error(`no answer within ${timeoutMs} ms`)));
  answer.then(resolve, reject).finally(timeout.cancel);
  return promise;
}
