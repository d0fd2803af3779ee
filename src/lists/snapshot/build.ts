import { readFileSync } from 'node:fs';
import { errorMessage } from '../../error-message.ts';
import { writeFileAtomic } from '../../files/atomic-file.ts';
import { moduleBeside } from '../../files/module-beside.ts';
import { runInChild } from '../../platform/child-process.ts';
import type { SourceList } from '../sources/read-packages.ts';
import { compileSnapshot } from './compile.ts';
import type { InputFolders } from './fingerprint.ts';
import { decodeSnapshot, type Snapshot } from './snapshot-file.ts';

/** A build as plain data, so that it can be handed to another process. */
export interface BuildOrder extends InputFolders {
  /** Where the snapshot is kept. */
  readonly path: string;
  readonly nowMs: number;
}

/** A finished build. */
export interface Build {
  readonly bytes: Uint8Array;
  readonly tookMs: number;
  /** Why the snapshot is not on disk: with a full or read-only disk only the next start takes longer. */
  readonly writeProblem: string | null;
}

/** Builds and stores the snapshot; takes about a second and a hundred megabytes, see `buildInProcess`. */
export function build(order: BuildOrder, packages?: readonly SourceList[]): Build {
  const startedMs = performance.now();
  const bytes = compileSnapshot({ ...order, packages, now: () => order.nowMs, previous: readPrevious(order.path) });
  let writeProblem: string | null = null;
  try {
    writeFileAtomic(order.path, bytes);
  } catch (error) {
    writeProblem = errorMessage(error);
  }
  return { bytes, tookMs: Math.round(performance.now() - startedMs), writeProblem };
}

export const buildInProcess = (order: BuildOrder): Promise<Build> =>
  runInChild(moduleBeside(import.meta.url, 'build-process'), order);

/** The snapshot that is replaced; null when it is missing or of another format: then its history is lost, and nothing else. */
function readPrevious(path: string): Snapshot | null {
  try {
    return decodeSnapshot(readFileSync(path));
  } catch {
    return null;
  }
}
