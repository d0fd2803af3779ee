import type { ConsoleFiles } from './console-files.ts';

/** What is served under `/console`. */
export interface ConsoleServing {
  readonly files: ConsoleFiles;
}
