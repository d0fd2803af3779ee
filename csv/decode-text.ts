export type EncodingName = 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | 'Windows-1252';

const marks: readonly (readonly [EncodingName, readonly number[]])[] = [
  ['UTF-8', [0xef, 0xbb, 0xbf]],
  ['UTF-16LE', [0xff, 0xfe]],
  ['UTF-16BE', [0xfe, 0xff]],
];

/** The encoding of an input by its beginning, and the length of its byte order mark. */
export function detectEncoding(
  head: Uint8Array,
  named: EncodingName | null,
): { readonly name: EncodingName; readonly markBytes: number } {
  const mark = marks.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte));
  if (mark !== undefined && (named === null || named === mark[0])) {
    if (mark[0] === 'UTF-16LE' && head.length >= 4 && head[2] === 0 && head[3] === 0)
      throw new Error('the input is UTF-32; convert it to UTF-8');
    return { name: mark[0], markBytes: mark[1].length };
  }
  return { name: named ?? guess(head), markBytes: 0 };
}

function guess(head: Uint8Array): EncodingName {
  if (!head.includes(0)) return isUtf8(head) ? 'UTF-8' : 'Windows-1252';
  const zeros = [0, 0] as [number, number];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2 === 0 ? 0 : 1] += 1;
  const [even, odd] = zeros;
  // Most characters of such files are ASCII, so that in UTF-16 one byte of most pairs is zero.
  if (odd > head.length / 4 && even < odd / 8) return 'UTF-16LE';
  if (even > head.length / 4 && odd < even / 8) return 'UTF-16BE';
  throw new Error('the input is not text: it contains zero bytes; if it is text, convert it to UTF-8');
}

/** Whether these bytes are the beginning of a text in UTF-8; the last character may be cut. */
function isUtf8(head: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The text of a whole file, without a byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(detectEncoding(bytes, null).name).decode(bytes);
}
