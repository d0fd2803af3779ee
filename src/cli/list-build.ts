import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { snapshotFile } from '../files/compiled-files.ts';
import type { CommandIo } from './io.ts';

/** Reports on standard error that a command first builds the lists, which takes seconds. */
export function announceListBuild(dataDir: string, io: CommandIo): void {
  if (existsSync(snapshotFile(dataDir))) return;
  io.stderr.write(`Building the lists in ${join(dataDir, 'lists')}; only the first use takes this long …\n`);
}
