/** Details of a failed call. */
export interface ErrorDetails {
  readonly status?: number | null;
  readonly code?: string | null;
  readonly requestId?: string | null;
  readonly retryAfterMs?: number | null;
  readonly body?: Readonly<Record<string, unknown>> | null;
  readonly attempts?: number;
  readonly cause?: unknown;
}

/** Everything this client throws, besides the reason of an abort signal and a TypeError for wrong settings. */
export class SignalpostError extends Error {
  override readonly name: string = 'SignalpostError';
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** The stable, machine-readable code; null when the answer carried none. */
  readonly code: string | null;
  /** The id of this request in the service's log. */
  readonly requestId: string | null;
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | null;
  /** The answer's JSON object; null when the body was empty or anything else. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** How often the request was sent. */
  readonly attempts: number;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = details.status ?? null;
    this.code = details.code ?? null;
    this.requestId = details.requestId ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.body = details.body ?? null;
    this.attempts = details.attempts ?? 0;
  }
}

/** No answer came: no connection, or one that broke before the answer was whole. */
export class ConnectionError extends SignalpostError {
  override readonly name = 'ConnectionError';
}

/** The answer did not come in time: `timeoutMs` of the call, or `attemptTimeoutMs` of its last attempt. */
export class TimeoutError extends SignalpostError {
  override readonly name = 'TimeoutError';
}

/** The status says success but the body is invalid: empty, HTML, not an object, cut or too large. */
export class AnswerError extends SignalpostError {
  override readonly name = 'AnswerError';
}

/** The service, or something in front of it, answered with an error status. */
export class ApiError extends SignalpostError {
  override readonly name: string = 'ApiError';
}

/** 400: the lookups' word for a malformed domain or address. */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
}

/** 401: the key is missing, unknown or revoked. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** 403: with the code `pro_only` the plan lacks the feature; without a code something in front of the service refused. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
}

/** 404: no such object, or no such path. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 409 `gate_changed`: the gate has changed since it was read. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/** 422: the input is wrong. */
export class ValidationError extends ApiError {
  override readonly name = 'ValidationError';

  /** The problems by field; empty when the answer named none. */
  get fields(): Readonly<Record<string, readonly string[]>> {
    const errors = this.body?.errors;
    if (typeof errors !== 'object' || errors === null) return {};
    return Object.fromEntries(
      Object.entries(errors).map(([field, messages]) => [field, [messages].flat().map(String)]),
    );
  }
}

/** 429: too many requests; waiting helps. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}

/** 429 `quota_exceeded`: the month's credits are used up; waiting a moment does not bring them back. */
export class QuotaExceededError extends ApiError {
  override readonly name = 'QuotaExceededError';
}

/** 500 and above: the service or something in front of it failed. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

/** A webhook that arrived was not signed with the secret, or not just now; `code` says which. */
export class WebhookVerificationError extends SignalpostError {
  override readonly name = 'WebhookVerificationError';
}
