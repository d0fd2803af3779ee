import type { Logger } from 'pino';
import { createLog } from '../log.ts';

/** The log of a command: on standard error, and only what the user should know. */
export function commandLog(): Logger {
  return createLog({ level: 'warn', isTerminal: process.stderr.isTTY });
}
