import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { decodeText } from '../../csv/decode-text.ts';
import type { CommandIo } from './io.ts';

/** The longest input that is read into memory as a whole. */
const maxBytes = 268_435_456;

/** The text of a file, or of standard input for `-`, in any encoding. Read whole, so that an unreadable file changes nothing. */
export async function inputText(name: string, { stdin }: Pick<CommandIo, 'stdin'>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of name === '-' ? stdin : createReadStream(resolve(name))) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxBytes) throw new Error('the input is longer than 256 MB; split it');
  }
  return decodeText(Buffer.concat(pieces));
}
