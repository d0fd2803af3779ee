import type { ConsoleFiles } from './console-pages.ts';
import type { SessionAdmission } from './session-context.ts';

/** The routes under `/console` besides the endpoints. */
export interface ConsoleMount {
  readonly files: ConsoleFiles;
  readonly sessions: SessionAdmission;
}

/** The base path of the console's endpoints that belong to no environment. */
export const consoleApiPath = '/console/api';

/** The base path of all other endpoints for signed-in users. */
export const environmentApiPath = `${consoleApiPath}/{environment}`;
