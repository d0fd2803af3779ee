import { createHash } from 'node:crypto';

/** How far an input has been processed, and a hash of that part, by which a changed input is noticed. */
export interface InputPosition {
  readonly inputBytes: number;
  readonly inputSha256: string | null;
}

/** Whole records of a stream. */
export interface RecordChunk {
  readonly records: readonly string[];
  /** The position in the input after this many records; asked for before the next chunk is taken. */
  after(count: number): InputPosition;
}

/** No record may be longer: something else than a list of addresses would fill the memory. */
const longestRecord = 1_048_576;

const newline = 0x0a;
const quote = 0x22;

/**
 * Cuts a stream into records, a piece at a time, from a position on; throws when what comes before it is not what it was.
 * A line break between double quotes is part of a record where `quoted`.
 */
export async function* recordChunks(
  input: AsyncIterable<Uint8Array>,
  from: InputPosition,
  quoted: boolean,
): AsyncGenerator<RecordChunk> {
  const hash = createHash('sha256');
  let rest: Uint8Array = new Uint8Array(0);
  let toSkip = from.inputBytes;
  let startByte = from.inputBytes;
  const chunkOf = (bytes: Uint8Array): RecordChunk => {
    const records = split(bytes, quoted);
    return {
      records,
      after(count) {
        const end = count >= records.length ? bytes.length : endOf(bytes, quoted, count);
        const inputSha256 = hash.copy().update(bytes.subarray(0, end)).digest('hex');
        return { inputBytes: startByte + end, inputSha256 };
      },
    };
  };
  for await (const piece of input) {
    const skipped = Math.min(toSkip, piece.length);
    if (skipped > 0) {
      hash.update(piece.subarray(0, skipped));
      toSkip -= skipped;
      if (toSkip === 0 && hash.copy().digest('hex') !== from.inputSha256) throw new ChangedInput();
    }
    const bytes = Buffer.concat([rest, piece.subarray(skipped)]);
    const end = lastEnd(bytes, quoted);
    if (bytes.length - end > longestRecord) throw new Error('a line of the input is longer than 1 MB');
    rest = bytes.subarray(end);
    if (end === 0) continue;
    yield chunkOf(bytes.subarray(0, end));
    hash.update(bytes.subarray(0, end));
    startByte += end;
  }
  if (toSkip > 0) throw new ChangedInput();
  if (rest.length > 0) yield chunkOf(rest);
}

/** The input is not the one that a run was interrupted in. */
class ChangedInput extends Error {
  constructor() {
    super(
      'the input has changed since the run was interrupted; remove the output and its .progress file to start over',
    );
  }
}

/** Where the last whole record ends. */
function lastEnd(bytes: Uint8Array, quoted: boolean): number {
  if (!quoted || !bytes.includes(quote)) return bytes.lastIndexOf(newline) + 1;
  return ends(bytes, quoted).at(-1) ?? 0;
}

/** Where this many records end. */
function endOf(bytes: Uint8Array, quoted: boolean, count: number): number {
  let start = 0;
  let left = count;
  for (const end of ends(bytes, quoted)) {
    if (left === 0) break;
    if (textOf(bytes.subarray(start, end)) !== '') left -= 1;
    start = end;
  }
  return start;
}

function ends(bytes: Uint8Array, quoted: boolean): number[] {
  const found: number[] = [];
  let isInside = false;
  for (let index = 0; index < bytes.length; index += 1) {
    if (quoted && bytes[index] === quote) isInside = !isInside;
    else if (bytes[index] === newline && !isInside) found.push(index + 1);
  }
  return found;
}

function split(bytes: Uint8Array, quoted: boolean): string[] {
  if (!quoted || !bytes.includes(quote))
    return Buffer.from(bytes).toString('utf8').split('\n').map(trimmed).filter(Boolean);
  let start = 0;
  return [...ends(bytes, quoted), bytes.length]
    .map((end) => {
      const text = textOf(bytes.subarray(start, end));
      start = end;
      return text;
    })
    .filter(Boolean);
}

const textOf = (bytes: Uint8Array): string => trimmed(Buffer.from(bytes).toString('utf8'));

/** Without the line break that ends it. */
const trimmed = (text: string): string => text.replace(/\r?\n?$/, '');
