import {
  AuthenticationError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  QuotaExceededError,
  RateLimitError,
  ServerError,
  SignalpostError,
  TimeoutError,
  ValidationError,
} from '@signalpost/client';

/** The advice to the user after a failed request. */
export function whatToDo(error: unknown): string {
  if (error instanceof AuthenticationError) return 'Your session has ended. Sign in again.';
  if (error instanceof ConnectionError)
    return 'The service does not respond. Check that it is running and that you are connected.';
  if (error instanceof TimeoutError) return 'The service took too long. Try again in a moment.';
  if (error instanceof QuotaExceededError) return 'This month’s credits are used up.';
  if (error instanceof RateLimitError) return waitFor(error.retryAfterMs);
  if (error instanceof NotFoundError) return 'Not found. It may have been deleted.';
  if (error instanceof ServerError && error.status === 503) return 'The database is unavailable. Try again later.';
  if (error instanceof ServerError) return 'The service failed. Its log has the details.';
  if (error instanceof PermissionError && error.body !== null) return sentenceOf(error);
  if (error instanceof SignalpostError) return sentenceOf(error);
  return error instanceof Error ? error.message : String(error);
}

function waitFor(retryAfterMs: number | null): string {
  if (retryAfterMs === null) return 'Too many requests. Try again later.';
  const seconds = Math.ceil(retryAfterMs / 1000);
  return `Too many attempts. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`;
}

/** The server's message, without the status that the client appends. */
export const sentenceOf = (error: SignalpostError): string => error.message.replace(/ \(\d{3}\)$/, '');

/** The server's error text for a field, by its path (`conditions.0.value`). */
export function fieldError(error: unknown, path: string): string | null {
  if (!(error instanceof ValidationError)) return null;
  return error.fields[path]?.join(' ') ?? null;
}

/** The server's first error text for a list or for one of its items. */
export function listError(error: unknown, path: string): string | null {
  if (!(error instanceof ValidationError)) return null;
  const at = Object.keys(error.fields).find((field) => field === path || field.startsWith(`${path}.`));
  return at === undefined ? null : fieldError(error, at);
}
