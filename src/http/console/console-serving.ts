import type { ConsoleEndpoint } from './console-endpoint.ts';
import type { ConsoleFiles } from './console-files.ts';
import type { SessionAdmission } from './visit.ts';

/** What is served under `/console`. */
export interface ConsoleServing {
  readonly files: ConsoleFiles;
  /** Those that belong to no environment. */
  readonly endpoints: readonly ConsoleEndpoint[];
  readonly sessions: SessionAdmission;
}

/** Where the endpoints of the console are. */
export const consoleApi = '/console/api';

/** Where every other endpoint is a second time. */
export const environmentApi = `${consoleApi}/{environment}`;
