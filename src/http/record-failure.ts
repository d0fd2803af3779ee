import { AppError, type ErrorCode } from '../errors.ts';
import type { RouteOptions } from './endpoint-route.ts';
import type { Exchange } from './exchange.ts';
import type { RefusalReason, RequestMetrics } from './timing/request-metrics.ts';

/** Refusals that any client can cause at will; exhausted credits and an existing block are no abuse. */
const countedRefusals: ReadonlySet<ErrorCode> = new Set(['key_required', 'unauthorized', 'rate_limit_exceeded']);

/** Logs a failure of the service, counts a refusal, and counts one that a client can cause at will against its address. */
export function recordFailure(
  thrown: unknown,
  { operation, status }: { readonly operation: string; readonly status: number },
  exchange: Exchange,
  options: RouteOptions,
  metrics: RequestMetrics,
): void {
  if (status >= 500) reportFailure(thrown, { requestId: exchange.id, operation }, options);
  if (!(thrown instanceof AppError)) return;
  if (status === 401 || status === 429) metrics.refused(reasonOf(thrown.code, exchange));
  if (countedRefusals.has(thrown.code) && exchange.route?.isConsole !== true) {
    options.admission.recordRefusal(options.addresses.of(exchange.request));
  }
}

/** A client that sends its key in the query only may take 401 for a passing fault and let everyone in: the operator must see it. */
function reasonOf(code: ErrorCode, { query }: Exchange): RefusalReason {
  return code === 'key_required' && query.key !== undefined && query.key !== '' ? 'key_in_query' : code;
}

/** Unavailable storage fails every request alike: the reason is enough, a stack trace adds nothing. */
function reportFailure(error: unknown, fields: object, { logThrottled }: RouteOptions): void {
  if (error instanceof AppError && error.code === 'service_unavailable') {
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    logThrottled('error', `unavailable: ${reason}`, { ...fields, reason }, 'service unavailable');
  } else logThrottled('error', String(error), { ...fields, err: error }, 'request failed');
}
