import { errorMessage } from '../../error-message.ts';
import { OutboundBlockedError } from './outbound-guard.ts';

/** Why an outgoing request failed. */
export type GuardedHttpReason =
  | 'offline'
  | 'aborted'
  | 'timeout'
  | 'network'
  | 'bad_url'
  | 'blocked_address'
  | 'too_many_redirects'
  | 'bad_redirect'
  | 'bad_status'
  | 'bad_encoding'
  | 'too_large'
  | 'disk';

/** The one error the guarded HTTP client throws. */
export class GuardedHttpError extends Error {
  readonly reason: GuardedHttpReason;

  constructor(reason: GuardedHttpReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'GuardedHttpError';
    this.reason = reason;
  }
}

/** Maps a failed connection or body stream to its error. */
export function toGuardedHttpError(error: unknown): GuardedHttpError {
  if (error instanceof GuardedHttpError) return error;
  if (error instanceof OutboundBlockedError) return new GuardedHttpError('blocked_address', error.message, error);
  const code = codeOf(error);
  // zlib's own codes: Z_DATA_ERROR and the like, and for Brotli ERR__ERROR_… or ERR_BROTLI_….
  if (/^(Z_|ERR__ERROR_|ERR_BROTLI)/.test(code)) {
    return new GuardedHttpError('bad_encoding', `The body cannot be unpacked (${code})`, error);
  }
  return new GuardedHttpError('network', errorMessage(error) || code, error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
