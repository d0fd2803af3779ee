import { decodeText } from '../../../csv/decode-text.ts';

/** The text of a chosen file: spreadsheets also write UTF-16 and Windows-1252. */
export async function textOfFile(file: File): Promise<string> {
  return decodeText(new Uint8Array(await file.arrayBuffer()));
}
