import { createRequire } from 'node:module';
import { type Logger, type LoggerOptions, pino } from 'pino';
import type { PinoPretty } from 'pino-pretty';

/** Header and field names whose values never reach a log. */
const secrets = ['authorization', 'key', '*.authorization', '*.key', 'headers.authorization', 'email', '*.email'];

/**
 * The log, on standard error: JSON in production, readable on a terminal. Standard output stays free for what a command
 * was asked to print.
 */
export function createLog(options: { level: string; pretty: boolean }): Logger {
  const settings = logSettings(options.level);
  if (!options.pretty) return pino(settings, pino.destination({ dest: 2, sync: true }));
  // Loaded for a terminal only: a server in production starts without it.
  const pretty: typeof PinoPretty = createRequire(import.meta.url)('pino-pretty');
  return pino(settings, pretty({ destination: 2, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', sync: true }));
}

/** What a log leaves out and hides, wherever it goes. */
export function logSettings(level: string): LoggerOptions {
  return { level, base: null, redact: { paths: [...secrets], censor: '[hidden]' } };
}

/** Writes one line a second for each cause: the first at once, those after it as one line with their `count`. */
export type SeldomLog = (level: 'warn' | 'error', cause: string, fields: object, message: string) => void;

/** More causes than this within a second are written as one. */
const maxCauses = 20;

/** What strangers can repeat at will must not fill the disk. */
export function createSeldomLog(log: Logger, everyMs = 1_000): SeldomLog {
  const held = new Map<string, { count: number; fields: object }>();
  const writeHeld = (level: 'warn' | 'error', cause: string, message: string): void => {
    const { count = 0, fields } = held.get(cause) ?? {};
    held.delete(cause);
    if (count > 0) write(level, cause, { ...fields, count }, message);
  };
  const write: SeldomLog = (level, cause, fields, message) => {
    log[level](fields, message);
    held.set(cause, { count: 0, fields: {} });
    setTimeout(writeHeld, everyMs, level, cause, message).unref();
  };
  return (level, cause, fields, message) => {
    const kept = held.size < maxCauses || held.has(cause) ? cause : 'other';
    const waiting = held.get(kept);
    if (waiting === undefined) write(level, kept, fields, message);
    else {
      waiting.count += 1;
      waiting.fields = fields;
    }
  };
}
