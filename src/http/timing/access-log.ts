import type { Logger } from 'pino';
import type { Exchange } from '../exchange.ts';

/** Logs a response. */
export type AccessLog = (exchange: Exchange, operation: string, status: number) => void;

/** A line for each response, without its path: the paths of lookups contain addresses. Nothing is logged with `null`. */
export function createAccessLog(log: Logger | null): AccessLog {
  if (log === null) return () => {};
  return ({ id, caller, stages }, operation, status) =>
    log.info(
      {
        operation,
        status,
        ms: tenths(stages.totalMs),
        stages: Object.fromEntries(stages.all().map(({ name, ms }) => [name, tenths(ms)])),
        account: caller?.accountId || null,
        keyId: caller?.keyId || null,
        requestId: id,
      },
      'answered',
    );
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;
