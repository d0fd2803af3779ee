import type { Logger } from 'pino';
import { createLog } from '../log.ts';

/** The log of a command: warnings and errors, on standard error. */
export function commandLog(): Logger {
  return createLog({ level: 'warn', isTerminal: process.stderr.isTTY });
}
