import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { writeFileAtomic } from '../../files/atomic-file.ts';
import type { Layout } from './detect-layout.ts';
import type { InputPosition } from './record-chunks.ts';

/** The progress of a run. Output after `outputBytes` is incomplete. */
export interface BulkProgress extends InputPosition {
  readonly outputBytes: number;
  readonly records: number;
  /** How many of them had fewer cells than the first record. */
  readonly shortRows: number;
  readonly headingRead: boolean;
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
  /** How the interrupted run read the input; null when this run does not resume one. */
  readonly resumed: Layout | null;
  /** Records how the input is read, for a run that resumes this one. */
  begin(layout: Layout): void;
  /** Writes lines, and records how much of the input is processed. */
  write(bytes: Uint8Array, done: Omit<BulkProgress, 'outputBytes'>): Promise<void>;
  /** Removes the record of the progress: the run is complete. */
  finish(): void;
}

const begun: BulkProgress = {
  inputBytes: 0,
  inputSha256: null,
  inputLines: 0,
  outputBytes: 0,
  records: 0,
  shortRows: 0,
  headingRead: false,
};

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
  let layout: Layout | null = kept.layout ?? null;
  return {
    get progress() {
      return progress;
    },
    resumed: layout,
    begin(used) {
      layout = used;
    },
    async write(bytes, done) {
      await file.write(bytes, 0, bytes.length, progress.outputBytes);
      await file.datasync();
      progress = { ...done, outputBytes: progress.outputBytes + bytes.length };
      writeFileAtomic(note, JSON.stringify({ orderSha256, inputSize, layout, ...progress }));
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
    resumed: null,
    begin: () => {},
    async write(bytes, done) {
      await new Promise<void>((resolve, reject) => {
        stream.write(bytes, (error) => (error ? reject(error) : resolve()));
      });
      progress = { ...done, outputBytes: 0 };
    },
    finish: () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
