import { createHash } from 'node:crypto';
import { type InputProblem, type InputRecord, scanRecords } from '../../../csv/scan-records.ts';
import type { Layout } from './detect-layout.ts';
import { encodingOf } from './text-encoding.ts';

/** How far an input has been processed, and a hash of that part, by which a changed input is noticed. */
export interface InputPosition {
  readonly inputBytes: number;
  readonly inputSha256: string | null;
  /** How many lines that part has. */
  readonly inputLines: number;
}

/** Whole records of a stream. */
export interface RecordChunk {
  readonly records: readonly InputRecord[];
  /** The problem with the input after these records. */
  readonly problem: InputProblem | undefined;
  /** The position in the input after this many records; called before the next chunk is taken. */
  after(count: number): InputPosition;
}

/** The longest record: input other than a list of addresses could fill the memory. */
const longestRecord = 1_048_576;

/** Cuts a stream into records, a piece at a time, from a position on; throws when the input before it has changed. */
export async function* recordChunks(
  input: AsyncIterable<Uint8Array>,
  from: InputPosition,
  layout: Layout,
): AsyncGenerator<RecordChunk> {
  const encoding = encodingOf(layout.encoding);
  const hash = createHash('sha256');
  let rest: Uint8Array = new Uint8Array(0);
  let toSkip = from.inputBytes;
  let startByte = from.inputBytes;
  let line = from.inputLines + 1;
  const take = (bytes: Uint8Array, isLast: boolean): { chunk: RecordChunk; endByte: number; endLine: number } => {
    const units = encoding.toUnits(bytes.subarray(0, bytes.length - (bytes.length % encoding.unitBytes)));
    const { records, restAt, restLine, problem } = scanRecords(units, layout.separator, line, isLast);
    const endByte = restAt * encoding.unitBytes;
    const after = (count: number): InputPosition => {
      const length = records.slice(0, count).reduce((sum, { text, end }) => sum + text.length + end.length, 0);
      const inputSha256 = hash
        .copy()
        .update(bytes.subarray(0, length * encoding.unitBytes))
        .digest('hex');
      const inputLines = (records[count]?.line ?? restLine) - 1;
      return { inputBytes: startByte + length * encoding.unitBytes, inputSha256, inputLines };
    };
    return { chunk: { records, problem, after }, endByte, endLine: restLine };
  };
  for await (const piece of input) {
    const skipped = Math.min(toSkip, piece.length);
    if (skipped > 0) {
      hash.update(piece.subarray(0, skipped));
      toSkip -= skipped;
      if (toSkip === 0 && hash.copy().digest('hex') !== from.inputSha256) throw new ChangedInput();
    }
    const bytes = Buffer.concat([rest, piece.subarray(skipped)]);
    const { chunk, endByte, endLine } = take(bytes, false);
    if (bytes.length - endByte > longestRecord)
      throw new Error(
        `line ${endLine}, column 1: the record that begins here is longer than 1 MB; is a quote missing?`,
      );
    rest = bytes.subarray(endByte);
    if (chunk.records.length > 0 || chunk.problem !== undefined) yield chunk;
    hash.update(bytes.subarray(0, endByte));
    startByte += endByte;
    line = endLine;
  }
  if (toSkip > 0) throw new ChangedInput();
  if (rest.length % encoding.unitBytes > 0)
    throw new Error(`the input ends in the middle of a ${encoding.name} character`);
  if (rest.length > 0) yield take(rest, true).chunk;
}

/** The beginning of a stream, and the stream with it: `isWhole` when there is no more. */
export async function peek(
  input: AsyncIterable<Uint8Array>,
  size: number,
): Promise<{ readonly head: Buffer; readonly isWhole: boolean; readonly input: AsyncIterable<Uint8Array> }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const iterator = input[Symbol.asyncIterator]();
  let isWhole = false;
  while (length < size && !isWhole) {
    const { done, value } = await iterator.next();
    if (done) isWhole = true;
    else {
      pieces.push(value);
      length += value.length;
    }
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* pieces.splice(0);
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { head: Buffer.concat(pieces).subarray(0, size), isWhole, input: all() };
}

/** The input is not the one that a run was interrupted in. */
class ChangedInput extends Error {
  constructor() {
    super(
      'the input has changed since the run was interrupted; remove the output and its .progress file to start over',
    );
  }
}
