import type { ConsoleFiles } from './console-pages.ts';
import type { SessionAdmission } from './session-context.ts';
import type { SessionEndpoint } from './session-endpoint.ts';

/** What is served under `/console`. */
export interface ConsoleMount {
  readonly files: ConsoleFiles;
  /** The endpoints that belong to no environment. */
  readonly endpoints: readonly SessionEndpoint[];
  readonly sessions: SessionAdmission;
}

/** The base path of the console's endpoints. */
export const consoleApiPath = '/console/api';

/** The base path of all other endpoints, mounted a second time. */
export const environmentApiPath = `${consoleApiPath}/{environment}`;
