import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../../error-message.ts';
import { snapshotFile } from '../../files/compiled-files.ts';
import { type Build, type BuildOrder, buildInProcess } from './build.ts';
import { inputFingerprint } from './fingerprint.ts';
import { decodeSnapshot, type Snapshot } from './snapshot-file.ts';

/** The part of a logger that the lists use. */
export interface ListLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Snapshots that other instances built from the same inputs. */
export interface SharedSnapshots {
  /** Downloads the snapshot of a fingerprint to `path`; false when this process must build it. */
  fetch(fingerprint: string, path: string): Promise<boolean>;
  /** Uploads the snapshot at `path` for the other instances. */
  put(fingerprint: string, path: string): Promise<void>;
}

export interface SnapshotOptions {
  readonly dataDir: string;
  /** The hand-written files. */
  readonly curatedDir: string;
  readonly log: ListLog;
  readonly now: () => number;
  /** Builds in another process by default. */
  readonly build?: (order: BuildOrder) => Promise<Build>;
  /** Without it every process builds its own snapshot. */
  readonly sharedSnapshots?: SharedSnapshots;
}

/** The snapshot on disk. */
export interface SnapshotStore {
  readonly path: string;
  /** The fingerprint of the current inputs. */
  fingerprint(): string;
  /** The snapshot of the current inputs: from disk, or built when it is missing, damaged or out of date. */
  open(): Promise<Snapshot>;
  /** Builds the snapshot even when the one on disk is current. */
  rebuild(): Promise<Snapshot>;
}

/** The snapshot of a data directory. */
export function snapshotStore(options: SnapshotOptions): SnapshotStore {
  const { log, curatedDir, sharedSnapshots, build = buildInProcess } = options;
  const path = snapshotFile(options.dataDir);
  const folders = { curatedDir, sourcesDir: join(options.dataDir, 'lists', 'sources') };
  const order = (): BuildOrder => ({ ...folders, path, nowMs: options.now() });

  const take = (done: Build, reason: string): Snapshot => {
    const snapshot = decodeSnapshot(done.bytes);
    const { counts, refused } = snapshot.header;
    if (done.writeProblem !== null) {
      log.warn({ path, reason: done.writeProblem }, 'lists: could not write the snapshot; the next start rebuilds it');
    }
    for (const refusal of refused) log.warn({ refusal }, 'lists: download not used');
    log.info({ reason, tookMs: done.tookMs, counts }, 'lists: snapshot built');
    return snapshot;
  };
  const buildFor = async (fingerprint: string, reason: string): Promise<Snapshot> => {
    const downloaded = await fromOthers(options, path, fingerprint);
    if (downloaded !== null) return downloaded;
    const built = take(await build(order()), reason);
    // A snapshot that cannot be uploaded is still usable here.
    const notShared = (error: unknown) =>
      log.warn({ err: error }, 'lists: could not upload the snapshot; the other instances build their own');
    await sharedSnapshots?.put(built.header.fingerprint, path).catch(notShared);
    return built;
  };
  return {
    path,
    fingerprint: () => inputFingerprint(folders),
    async open() {
      const fingerprint = inputFingerprint(folders);
      const found = onDisk(path, log);
      if (found === null) return await buildFor(fingerprint, 'there was none');
      if (found.header.fingerprint === fingerprint) return found;
      try {
        return await buildFor(fingerprint, 'a source changed');
      } catch (error) {
        log.warn({ err: error }, 'lists: could not rebuild the snapshot; the last good one stays in use');
        return found;
      }
    },
    rebuild: async () => take(await build(order()), 'requested'),
  };
}

/** The snapshot on disk; null when it is missing or damaged. */
function onDisk(path: string, log: ListLog): Snapshot | null {
  if (!existsSync(path)) return null;
  try {
    return decodeSnapshot(readFileSync(path));
  } catch (error) {
    const reason = errorMessage(error);
    log.warn({ path, reason }, 'lists: the snapshot is unusable; rebuilding it');
    return null;
  }
}

/** The snapshot that another instance built from the current inputs; null when there is none. */
async function fromOthers(
  { sharedSnapshots, log }: SnapshotOptions,
  path: string,
  fingerprint: string,
): Promise<Snapshot | null> {
  try {
    if (sharedSnapshots === undefined || !(await sharedSnapshots.fetch(fingerprint, path))) return null;
    const snapshot = decodeSnapshot(readFileSync(path));
    log.info(
      { fingerprint, builtAt: snapshot.header.builtAt },
      'lists: downloaded the snapshot that another instance built',
    );
    return snapshot.header.fingerprint === fingerprint ? snapshot : null;
  } catch (error) {
    log.warn({ err: error }, 'lists: could not use the snapshot of another instance; building one');
    return null;
  }
}
