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
