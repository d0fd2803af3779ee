import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { writeFileAtomic } from '../../files/atomic-file.ts';
import type { InputPosition } from './record-chunks.ts';

/** The progress of a run. Output after `outputBytes` is incomplete. */
export interface BulkProgress extends InputPosition {
  readonly outputBytes: number;
  readonly records: number;
  /** Which cell of a record holds the address; null before the first record was read. */
  readonly column: number | null;
}

/** The input and options of a run. */
export interface BulkOrder {
  /** The command and its options, without the key. */
  readonly words: string;
  /** How long the input is; null for a pipe. */
  readonly inputSize: number | null;
}

/** Where lines are written, and the progress so far. */
export interface BulkOutput extends AsyncDisposable {
  readonly progress: BulkProgress;
  /** Writes lines, and records how much of the input is processed. */
  write(text: string, done: Omit<BulkProgress, 'outputBytes'>): Promise<void>;
  /** Removes the record of the progress: the run is complete. */
  finish(): void;
}

const begun: BulkProgress = { inputBytes: 0, inputSha256: null, outputBytes: 0, records: 0, column: null };

/**
 * The output of a run that can be resumed. Lines are on disk before the progress is recorded, so a killed run leaves at most
 * lines beyond the recorded progress; the next run truncates them. The progress file contains only hashes of the input.
 */
export async function openOutputFile(path: string, order: BulkOrder): Promise<BulkOutput> {
  const note = `${path}.progress`;
  const { inputSize } = order;
  const orderSha256 = createHash('sha256').update(order.words).digest('hex');
  const kept = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : { orderSha256, inputSize, ...begun };
  const startOver = `remove ${path} and ${note} to start over`;
  if (kept.orderSha256 !== orderSha256) throw new Error(`${note} belongs to another run; ${startOver}`);
  if (kept.inputSize !== inputSize)
    throw new Error(
      `the input has changed since the run was interrupted: ${kept.inputSize} bytes then, ${inputSize} now; ${startOver}`,
    );
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
      writeFileAtomic(note, JSON.stringify({ orderSha256, inputSize, ...progress }));
    },
    finish: () => rmSync(note, { force: true }),
    [Symbol.asyncDispose]: () => file.close(),
  };
}

/** A stream such as standard output; an interrupted run cannot be resumed on it. */
export function standardOutput(stream: Writable): BulkOutput {
  let progress = begun;
  return {
    get progress() {
      return progress;
    },
    async write(text, done) {
      await new Promise<void>((resolve, reject) => {
        stream.write(text, (error) => (error ? reject(error) : resolve()));
      });
      progress = { ...done, outputBytes: 0 };
    },
    finish: () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
