import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  type ErrorDetails,
  NotFoundError,
  PermissionError,
  QuotaExceededError,
  RateLimitError,
  ServerError,
  ValidationError,
} from '../errors.ts';
import type { Answer } from './answer.ts';
import { errorCode } from './error-code.ts';
import { retryAfterMs } from './retry-after.ts';

/** The error for an answer without success. */
export function errorOfAnswer({ response, body, attempts }: Answer): ApiError {
  const { status, headers } = response;
  const code = errorCode(body);
  const ErrorOfStatus = errorClass(status, code);
  return new ErrorOfStatus(messageOf(status, body), {
    status,
    code,
    requestId: requestIdOf(response),
    retryAfterMs: retryAfterMs(headers),
    body,
    attempts,
  });
}

/** The id the service gave the request. */
export const requestIdOf = ({ headers }: Response): string | null => headers.get('x-request-id');

function errorClass(status: number, code: string | null): new (message: string, details: ErrorDetails) => ApiError {
  if (status === 429) return code === 'quota_exceeded' ? QuotaExceededError : RateLimitError;
  if (status >= 500) return ServerError;
  return errorClasses[status] ?? ApiError;
}

const errorClasses: Readonly<Record<number, new (message: string, details: ErrorDetails) => ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: ValidationError,
};

function messageOf(status: number, body: Answer['body']): string {
  const said = [body?.message, body?.error].find((text) => typeof text === 'string' && text !== '');
  if (said !== undefined) return `${said} (${status})`;
  if (status === 403)
    return 'Something in front of the service refused the request (403); this says nothing about the key';
  if (status < 400) return `The service redirects (${status}); check baseUrl`;
  return `The service answered with status ${status}`;
}
