import type { Readable, Writable } from 'node:stream';

/** The standard streams and the settings that a command runs with; `process` is one. */
export interface CommandIo {
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** The environment variables that hold the settings. */
  readonly env: NodeJS.ProcessEnv;
}
