import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { errorMessage } from '../error-message.ts';
import { fileStamp } from '../files/file-stamp.ts';
import type { ListLog } from '../lists/snapshot/kept-snapshot.ts';

/** A file of IP data, for `lists status`. */
export interface IpFileStatus {
  readonly file: string;
  /** `refused`: the file is unusable; an earlier content stays in use. */
  readonly state: 'absent' | 'used' | 'refused';
  /** The data in use, null when there is none: counts, dates, lines that were not understood. */
  readonly contents: object | null;
  /** When the data in use was loaded, ISO 8601. */
  readonly takenAt: string | null;
  /** Why the file was refused. */
  readonly reason: string | null;
}

/** The parsed contents of a file, and their description. */
export interface ReadContents<T> {
  readonly value: T;
  readonly about: object;
}

/** A file that may appear, change and vanish while the service runs. */
export interface IpFile<T> {
  /** Null while there is no usable file. */
  readonly value: T | null;
  status(): IpFileStatus;
  /** Loads the file when it has changed. Never fails: a bad file is reported and the last good one stays in use. */
  refresh(): Promise<void>;
}

export interface IpFileOptions<T> {
  readonly path: string;
  readonly maxBytes: number;
  read(bytes: Buffer): ReadContents<T> | Promise<ReadContents<T>>;
  readonly log: ListLog;
  readonly now: () => number;
}

interface Taken<T> extends ReadContents<T> {
  readonly at: string;
}

/** A file that is not read yet; `refresh` reads it. */
export function openIpFile<T>({ path, maxBytes, read, log, now }: IpFileOptions<T>): IpFile<T> {
  const file = basename(path);
  let seenStamp: string | null = null;
  let doneStamp = '-';
  let taken: Taken<T> | null = null;
  let outcome: Pick<IpFileStatus, 'state' | 'reason'> = { state: 'absent', reason: null };

  const take = async (stamp: string): Promise<void> => {
    const contents = await read(await readBounded(path, maxBytes));
    // Replaced or written to while it was read: the content may be a mixture.
    if (fileStamp(path) !== stamp) return;
    taken = { ...contents, at: new Date(now()).toISOString() };
    doneStamp = stamp;
    outcome = { state: 'used', reason: null };
    log.info({ file, ...contents.about }, 'IP data: file loaded');
  };
  const vanish = (): void => {
    doneStamp = '-';
    taken = null;
    outcome = { state: 'absent', reason: null };
    log.info({ file }, 'IP data: file removed; its values are unknown from now on');
  };
  return {
    get value() {
      return taken?.value ?? null;
    },
    status: () => ({ file, ...outcome, contents: taken?.about ?? null, takenAt: taken?.at ?? null }),
    async refresh() {
      let stamp = '?';
      try {
        stamp = fileStamp(path);
        // After the first read a file must be unchanged twice: a file that is being copied changes all the time.
        const isStable = seenStamp === null || stamp === seenStamp;
        seenStamp = stamp;
        if (!isStable || stamp === doneStamp) return;
        if (stamp === '-') vanish();
        else await take(stamp);
      } catch (error) {
        // Not read again until it changes.
        const hasWarned = stamp === doneStamp && outcome.state === 'refused';
        doneStamp = stamp;
        const reason = errorMessage(error);
        outcome = { state: 'refused', reason };
        if (!hasWarned) log.warn({ file, reason, lastGoodKept: taken !== null }, 'IP data: file refused');
      }
    },
  };
}

async function readBounded(path: string, maxBytes: number): Promise<Buffer> {
  const found = await stat(path);
  if (!found.isFile()) throw new Error('not a file');
  if (found.size > maxBytes) throw new Error(`${found.size} bytes, more than ${maxBytes}`);
  return await readFile(path);
}
