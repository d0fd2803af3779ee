import { isUtf8 } from 'node:buffer';
import type { EncodingName } from '../../../csv/decode-text.ts';
import { UsageError } from '../command.ts';

/**
 * An encoding of an input. Records are cut and joined as *units*: a string with one character per byte or, in UTF-16, per
 * 16 bits. Every sequence of bytes survives the way to units and back, also one that is no valid text.
 */
export interface TextEncoding {
  readonly name: EncodingName;
  readonly unitBytes: 1 | 2;
  readonly toUnits: (bytes: Uint8Array) => string;
  readonly toBytes: (units: string) => Buffer;
  /** The text of some units; null when they are no valid text. */
  readonly decode: (units: string) => string | null;
  /** The units of a text; null when the encoding lacks one of its characters. */
  readonly encode: (text: string) => string | null;
}

const latin1Units = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
const latin1Bytes = (units: string): Buffer => Buffer.from(units, 'latin1');
/** Most cells are: both forms are equal then. */
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
const wellFormed = (text: string): string | null => (text.isWellFormed() ? text : null);
const windows1252 = new TextDecoder('windows-1252');
const windows1252Bytes = new Map(
  Array.from({ length: 256 }, (_, byte) => [windows1252.decode(Uint8Array.of(byte)), String.fromCharCode(byte)]),
);

const encodings: Readonly<Record<EncodingName, TextEncoding>> = {
  'UTF-8': {
    name: 'UTF-8',
    unitBytes: 1,
    toUnits: latin1Units,
    toBytes: latin1Bytes,
    decode(units) {
      if (isAscii(units)) return units;
      const bytes = latin1Bytes(units);
      return isUtf8(bytes) ? bytes.toString('utf8') : null;
    },
    encode: (text) => (isAscii(text) ? text : latin1Units(Buffer.from(text))),
  },
  'Windows-1252': {
    name: 'Windows-1252',
    unitBytes: 1,
    toUnits: latin1Units,
    toBytes: latin1Bytes,
    decode: (units) => (isAscii(units) ? units : windows1252.decode(latin1Bytes(units))),
    encode(text) {
      if (isAscii(text)) return text;
      const units = Array.from(text, (character) => windows1252Bytes.get(character));
      return units.includes(undefined) ? null : units.join('');
    },
  },
  'UTF-16LE': {
    name: 'UTF-16LE',
    unitBytes: 2,
    toUnits: (bytes) => Buffer.from(bytes).toString('utf16le'),
    toBytes: (units) => Buffer.from(units, 'utf16le'),
    decode: wellFormed,
    encode: wellFormed,
  },
  'UTF-16BE': {
    name: 'UTF-16BE',
    unitBytes: 2,
    toUnits: (bytes) => Buffer.from(bytes).swap16().toString('utf16le'),
    toBytes: (units) => Buffer.from(units, 'utf16le').swap16(),
    decode: wellFormed,
    encode: wellFormed,
  },
};

/** The encoding of this name. */
export const encodingOf = (name: EncodingName): TextEncoding => encodings[name];

const spellings: Readonly<Record<string, EncodingName>> = {
  utf8: 'UTF-8',
  utf16: 'UTF-16LE',
  utf16le: 'UTF-16LE',
  utf16be: 'UTF-16BE',
  windows1252: 'Windows-1252',
  cp1252: 'Windows-1252',
  latin1: 'Windows-1252',
  iso88591: 'Windows-1252',
};

/** The encoding that a user named. */
export function encodingNamed(word: string): EncodingName {
  const name = spellings[word.toLowerCase().replaceAll(/[^a-z0-9]/g, '')];
  if (name === undefined)
    throw new UsageError(`--encoding is utf-8, utf-16le, utf-16be or windows-1252 (latin1), not "${word}"`);
  return name;
}
