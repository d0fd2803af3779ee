/** Whole records of a stream and where the input stands after them. */
export interface RecordChunk {
  readonly records: readonly string[];
  /** How many bytes of the input these and all before them are. */
  readonly endByte: number;
}

/** No record may be longer: something else than a list of addresses would fill the memory. */
const longestRecord = 1_048_576;

const newline = 0x0a;
const quote = 0x22;

/** Cuts a stream into records, a piece at a time. A line break between double quotes is part of a record where `quoted`. */
export async function* recordChunks(
  input: AsyncIterable<Uint8Array>,
  fromByte: number,
  quoted: boolean,
): AsyncGenerator<RecordChunk> {
  let rest: Uint8Array = new Uint8Array(0);
  let toSkip = fromByte;
  let endByte = fromByte;
  for await (const piece of input) {
    const skipped = Math.min(toSkip, piece.length);
    toSkip -= skipped;
    const bytes = Buffer.concat([rest, piece.subarray(skipped)]);
    const end = lastEnd(bytes, quoted);
    if (bytes.length - end > longestRecord) throw new Error('a line of the input is longer than 1 MB');
    rest = bytes.subarray(end);
    if (end === 0) continue;
    endByte += end;
    yield { records: split(bytes.subarray(0, end), quoted), endByte };
  }
  if (rest.length > 0) yield { records: split(rest, quoted), endByte: endByte + rest.length };
}

/** Where the last whole record ends. */
function lastEnd(bytes: Uint8Array, quoted: boolean): number {
  if (!quoted || !bytes.includes(quote)) return bytes.lastIndexOf(newline) + 1;
  return ends(bytes).at(-1) ?? 0;
}

function ends(bytes: Uint8Array): number[] {
  const found: number[] = [];
  let isInside = false;
  for (let index = 0; index < bytes.length; index += 1) {
    if (bytes[index] === quote) isInside = !isInside;
    else if (bytes[index] === newline && !isInside) found.push(index + 1);
  }
  return found;
}

function split(bytes: Uint8Array, quoted: boolean): string[] {
  if (!quoted || !bytes.includes(quote))
    return Buffer.from(bytes).toString('utf8').split('\n').map(trimmed).filter(Boolean);
  let start = 0;
  return [...ends(bytes), bytes.length]
    .map((end) => {
      const text = Buffer.from(bytes.subarray(start, end)).toString('utf8');
      start = end;
      return trimmed(text);
    })
    .filter(Boolean);
}

/** Without the line break that ends it. */
const trimmed = (text: string): string => text.replace(/\r?\n?$/, '');
