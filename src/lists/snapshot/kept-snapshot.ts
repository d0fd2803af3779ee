import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../../error-message.ts';
import { type Build, type BuildOrder, buildInProcess } from './build.ts';
import { inputFingerprint } from './fingerprint.ts';
import { decodeSnapshot, type Snapshot } from './snapshot-file.ts';

/** The part of a logger that the lists use. */
export interface ListLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** What building and keeping a snapshot needs. */
export interface SnapshotOptions {
  readonly dataDir: string;
  /** The hand-written files. */
  readonly curatedDir: string;
  readonly log: ListLog;
  readonly now: () => number;
}

/** The snapshot on disk. */
export interface SnapshotStore {
  readonly path: string;
  /** The snapshot for the inputs as they are: from disk, or built when it is missing, damaged or out of date. */
  open(): Promise<Snapshot>;
  /** Builds it whatever is on disk. */
  rebuild(): Promise<Snapshot>;
}

/** The snapshot of a data directory. */
export function snapshotStore(options: SnapshotOptions): SnapshotStore {
  const { log, curatedDir } = options;
  const path = join(options.dataDir, 'lists', 'snapshot.bin');
  const folders = { curatedDir, sourcesDir: join(options.dataDir, 'lists', 'sources') };
  const order = (): BuildOrder => ({ ...folders, path, nowMs: options.now() });

  /** The snapshot on disk; null when there is none that can be used. */
  const onDisk = (): Snapshot | null => {
    if (!existsSync(path)) return null;
    try {
      return decodeSnapshot(readFileSync(path));
    } catch (error) {
      const reason = errorMessage(error);
      log.warn({ path, reason }, 'lists: the snapshot is unusable and is built again');
      return null;
    }
  };
  const take = (done: Build, reason: string): Snapshot => {
    const snapshot = decodeSnapshot(done.bytes);
    const { counts, refused } = snapshot.header;
    if (done.writeProblem !== null) {
      log.warn({ path, reason: done.writeProblem }, 'lists: the snapshot could not be written');
    }
    for (const refusal of refused) log.warn({ refusal }, 'lists: download not used');
    log.info({ reason, tookMs: done.tookMs, counts }, 'lists: snapshot built');
    return snapshot;
  };
  return {
    path,
    async open() {
      const found = onDisk();
      if (found === null) return take(await buildInProcess(order()), 'there was none');
      if (found.header.fingerprint === inputFingerprint(folders)) return found;
      try {
        return take(await buildInProcess(order()), 'a source changed');
      } catch (error) {
        log.warn({ err: error }, 'lists: the snapshot could not be built again; the last good one stays in use');
        return found;
      }
    },
    rebuild: async () => take(await buildInProcess(order()), 'asked for'),
  };
}
