import type { ConsoleFiles } from './console-pages.ts';
import type { SessionAdmission } from './session-context.ts';
import type { SessionEndpoint } from './session-endpoint.ts';

/** What is served under `/console`. */
export interface ConsoleMount {
  readonly files: ConsoleFiles;
  /** Those that belong to no environment. */
  readonly endpoints: readonly SessionEndpoint[];
  readonly sessions: SessionAdmission;
}

/** Where the endpoints of the console are. */
export const consoleApiPath = '/console/api';

/** Where every other endpoint is a second time. */
export const environmentApiPath = `${consoleApiPath}/{environment}`;
