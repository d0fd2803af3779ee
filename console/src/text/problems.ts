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

/** What somebody can do about a failed call, in a sentence. */
export function whatToDo(error: unknown): string {
  if (error instanceof AuthenticationError) return 'Your session has ended: sign in again.';
  if (error instanceof ConnectionError) return 'The service does not answer. Is it running, and are you connected?';
  if (error instanceof TimeoutError) return 'The service took too long. Try again in a moment.';
  if (error instanceof QuotaExceededError) return 'The credits of this month are used up.';
  if (error instanceof RateLimitError) return waitFor(error.retryAfterMs);
  if (error instanceof NotFoundError) return 'It was not found: it may have been removed.';
  if (error instanceof ServerError && error.status === 503)
    return 'The storage is away for the moment. Try again soon.';
  if (error instanceof ServerError) return 'Something went wrong in the service; its log has the details.';
  if (error instanceof PermissionError && error.body !== null) return sentenceOf(error);
  if (error instanceof SignalpostError) return sentenceOf(error);
  return error instanceof Error ? error.message : String(error);
}

function waitFor(retryAfterMs: number | null): string {
  if (retryAfterMs === null) return 'Too many requests at once. Wait a moment and try again.';
  const seconds = Math.ceil(retryAfterMs / 1000);
  return `Too many attempts. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`;
}

/** The server's own sentence, without the status that the client puts behind it. */
export const sentenceOf = (error: SignalpostError): string => error.message.replace(/ \(\d{3}\)$/, '');

/** What the server objects to at a field, by its path (`conditions.0.value`). */
export function fieldError(error: unknown, path: string): string | null {
  if (!(error instanceof ValidationError)) return null;
  return error.fields[path]?.join(' ') ?? null;
}
