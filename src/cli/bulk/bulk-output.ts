import { existsSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { writeFileAtomic } from '../../files/atomic-file.ts';

/** How far a run has come: what is after `outputBytes` in the output was not finished. */
export interface BulkProgress {
  readonly inputBytes: number;
  readonly outputBytes: number;
  readonly records: number;
  /** The first record of the input, which may be its heading; null before it was read. */
  readonly first: string | null;
}

/** Where lines go, and how far they have come. */
export interface BulkOutput extends AsyncDisposable {
  readonly progress: BulkProgress;
  /** Writes lines and notes that the input has been worked off up to this byte. */
  write(text: string, done: Pick<BulkProgress, 'inputBytes' | 'records' | 'first'>): Promise<void>;
  /** All is written. */
  finish(): void;
}

const begun: BulkProgress = { inputBytes: 0, outputBytes: 0, records: 0, first: null };

/**
 * A file that goes on where a run was broken off. After each piece the lines are on disk before the note about them is, so
 * a run that was killed leaves at most lines that no note covers; the next one cuts them off and does them again.
 */
export async function openOutputFile(path: string, order: string): Promise<BulkOutput> {
  const note = `${path}.progress`;
  const kept = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : { order, ...begun };
  if (kept.order !== order) throw new Error(`${note} is of another run; remove it to begin anew`);
  const file = await open(path, existsSync(note) ? 'r+' : 'wx');
  await file.truncate(kept.outputBytes);
  let progress: BulkProgress = kept;
  return {
    get progress() {
      return progress;
    },
    async write(text, done) {
      const bytes = Buffer.from(text);
      await file.write(bytes, 0, bytes.length, progress.outputBytes);
      await file.datasync();
      progress = { ...done, outputBytes: progress.outputBytes + bytes.length };
      writeFileAtomic(note, JSON.stringify({ order, ...progress }));
    },
    finish: () => rmSync(note, { force: true }),
    [Symbol.asyncDispose]: () => file.close(),
  };
}

/** Standard output, which nobody can take up again. */
export function standardOutput(): BulkOutput {
  let progress = begun;
  return {
    get progress() {
      return progress;
    },
    async write(text, done) {
      await new Promise<void>((resolve, reject) => {
        process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
      });
      progress = { ...done, outputBytes: 0 };
    },
    finish: () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
