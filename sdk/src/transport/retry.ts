import { ConnectionError, RateLimitError, ServerError, type SignalpostError, TimeoutError } from '../errors.ts';

/** The rules that decide whether and when a request is sent again. */
export interface RetryPolicy {
  /** How often a request is sent at most. */
  readonly maxAttempts: number;
  /** The longest first pause; it doubles with each attempt. */
  readonly backoffMs: number;
  /** Whether the request is safe to repeat. A failed response does not prove that the service did nothing. */
  readonly repeatable: boolean;
}

const longestBackoffMs = 8_000;
const passingStatuses: readonly (number | null)[] = [500, 502, 503, 504];

/** How long to wait before the request is sent again, or null when this error is the caller's. */
export function pauseBeforeRetry(
  error: SignalpostError,
  { maxAttempts, backoffMs, repeatable }: RetryPolicy,
  random: () => number = Math.random,
): number | null {
  if (!repeatable || error.attempts >= maxAttempts || !mayPass(error)) return null;
  if (error instanceof RateLimitError && error.retryAfterMs !== null) return error.retryAfterMs;
  // Full jitter: clients that failed together do not retry together.
  return random() * Math.min(longestBackoffMs, backoffMs * 2 ** (error.attempts - 1));
}

function mayPass(error: SignalpostError): boolean {
  if (error instanceof ServerError) return passingStatuses.includes(error.status);
  return error instanceof RateLimitError || error instanceof ConnectionError || error instanceof TimeoutError;
}
