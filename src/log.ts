import { createRequire } from 'node:module';
import { type Logger, type LoggerOptions, pino } from 'pino';
import type { PinoPretty } from 'pino-pretty';

/** Header and field names whose values are never logged. */
const secrets = ['authorization', 'key', '*.authorization', '*.key', 'headers.authorization', 'email', '*.email'];

/**
 * The log, on standard error: readable text on a terminal, JSON elsewhere, such as in a pipe or a file. Standard output is reserved for the output of
 * commands.
 */
export function createLog(options: { level: string; isTerminal: boolean }): Logger {
  const settings = logSettings(options.level);
  if (!options.isTerminal) return pino(settings, pino.destination({ dest: 2, sync: true }));
  // `hasColors` honours NO_COLOR. Loaded for a terminal only, so that a server in production starts faster.
  const pretty: typeof PinoPretty = createRequire(import.meta.url)('pino-pretty');
  return pino(
    settings,
    pretty({
      destination: 2,
      ignore: 'pid,hostname',
      translateTime: 'SYS:HH:MM:ss',
      sync: true,
      colorize: process.stderr.hasColors(),
    }),
  );
}

/** The settings of every log, with its redacted fields. */
export function logSettings(level: string): LoggerOptions {
  return { level, base: null, redact: { paths: [...secrets], censor: '[hidden]' } };
}

/** Writes at most one line per second and cause: the first immediately, further ones together with their `count`. */
export type ThrottledLog = (level: 'warn' | 'error', cause: string, fields: object, message: string) => void;

/** Further causes within a second share one line. */
const maxCauses = 20;

/** Throttles log lines that anonymous clients can repeat at will, so that they cannot fill the disk. */
export function createThrottledLog(log: Logger, everyMs = 1_000): ThrottledLog {
  const suppressed = new Map<string, { count: number; fields: object }>();
  const writeSuppressed = (level: 'warn' | 'error', cause: string, message: string): void => {
    const { count = 0, fields } = suppressed.get(cause) ?? {};
    suppressed.delete(cause);
    if (count > 0) write(level, cause, { ...fields, count }, message);
  };
  const write: ThrottledLog = (level, cause, fields, message) => {
    log[level](fields, message);
    suppressed.set(cause, { count: 0, fields: {} });
    setTimeout(writeSuppressed, everyMs, level, cause, message).unref();
  };
  return (level, cause, fields, message) => {
    const group = suppressed.size < maxCauses || suppressed.has(cause) ? cause : 'other';
    const waiting = suppressed.get(group);
    if (waiting === undefined) write(level, group, fields, message);
    else {
      waiting.count += 1;
      waiting.fields = fields;
    }
  };
}
