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

/** Where instances find the snapshots that others built from the same inputs. */
export interface SnapshotShelf {
  /** Writes the snapshot of a fingerprint to `path`; false when there is none and this process is to build it. */
  fetch(fingerprint: string, path: string): Promise<boolean>;
  /** Keeps the snapshot at `path` for the others. */
  put(fingerprint: string, path: string): Promise<void>;
}

/** What building and keeping a snapshot needs. */
export interface SnapshotOptions {
  readonly dataDir: string;
  /** The hand-written files. */
  readonly curatedDir: string;
  readonly log: ListLog;
  readonly now: () => number;
  /** Without it every process builds for itself. */
  readonly shelf?: SnapshotShelf;
}

/** The snapshot on disk. */
export interface SnapshotStore {
  readonly path: string;
  /** Of the inputs as they are. */
  fingerprint(): string;
  /** The snapshot for the inputs as they are: from disk, or built when it is missing, damaged or out of date. */
  open(): Promise<Snapshot>;
  /** Builds it whatever is on disk. */
  rebuild(): Promise<Snapshot>;
}

/** The snapshot of a data directory. */
export function snapshotStore(options: SnapshotOptions): SnapshotStore {
  const { log, curatedDir, shelf } = options;
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
  /** The snapshot of the inputs as they are, made by another instance; null when there is none. */
  const fromOthers = async (fingerprint: string): Promise<Snapshot | null> => {
    try {
      if (shelf === undefined || !(await shelf.fetch(fingerprint, path))) return null;
      const snapshot = decodeSnapshot(readFileSync(path));
      log.info(
        { fingerprint, builtAt: snapshot.header.builtAt },
        'lists: took the snapshot that another instance built',
      );
      return snapshot.header.fingerprint === fingerprint ? snapshot : null;
    } catch (error) {
      log.warn({ err: error }, 'lists: the snapshot of another instance cannot be used; building one');
      return null;
    }
  };
  const buildFor = async (fingerprint: string, reason: string): Promise<Snapshot> => {
    const made = await fromOthers(fingerprint);
    if (made !== null) return made;
    const built = take(await buildInProcess(order()), reason);
    // What others cannot have is in use here all the same.
    const notShared = (error: unknown) => log.warn({ err: error }, 'lists: the snapshot could not be shared');
    await shelf?.put(built.header.fingerprint, path).catch(notShared);
    return built;
  };
  return {
    path,
    fingerprint: () => inputFingerprint(folders),
    async open() {
      const fingerprint = inputFingerprint(folders);
      const found = onDisk();
      if (found === null) return await buildFor(fingerprint, 'there was none');
      if (found.header.fingerprint === fingerprint) return found;
      try {
        return await buildFor(fingerprint, 'a source changed');
      } catch (error) {
        log.warn({ err: error }, 'lists: the snapshot could not be built again; the last good one stays in use');
        return found;
      }
    },
    rebuild: async () => take(await buildInProcess(order()), 'asked for'),
  };
}
