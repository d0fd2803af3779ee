import { AppError, type ErrorCode } from '../errors.ts';
import type { Mounting } from './endpoint-route.ts';
import type { Exchange } from './exchange.ts';
import type { RequestMetrics } from './request-metrics.ts';

/** What a stranger can cause at will; used-up credits and a block that stands are neither news nor abuse. */
const countedRefusals: ReadonlySet<ErrorCode> = new Set(['key_required', 'unauthorized', 'rate_limit_exceeded']);

/** Counts a failure and logs it, as far as it is news; what is refused at will counts against the address. */
export function noteFailure(
  thrown: unknown,
  { operation, status }: { readonly operation: string; readonly status: number },
  exchange: Exchange,
  options: Mounting,
  metrics: RequestMetrics,
): void {
  metrics.operation(operation)(status, exchange.startedAtMs);
  options.answered(exchange, operation, status);
  if (status >= 500) reportFailure(thrown, { requestId: exchange.id, operation }, options);
  if (!(thrown instanceof AppError)) return;
  if (status === 401 || status === 429) metrics.refused(thrown.code);
  if (countedRefusals.has(thrown.code) && exchange.route?.isConsole !== true) {
    options.admission.recordRefusal(options.addresses.of(exchange.request));
  }
}

/** A storage that is away fails every request alike: the reason is enough, where it was noticed says nothing. */
function reportFailure(error: unknown, fields: object, { logSeldom }: Mounting): void {
  if (error instanceof AppError && error.code === 'service_unavailable') {
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    logSeldom('error', `unavailable: ${reason}`, { ...fields, reason }, 'service unavailable');
  } else logSeldom('error', String(error), { ...fields, err: error }, 'request failed');
}
