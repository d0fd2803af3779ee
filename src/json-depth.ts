const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Whether JSON text nests no deeper than `maxDepth`, determined by one scan without recursion, so that hostile nesting is
 * rejected before `JSON.parse` sees it. UTF-8 continuation bytes never equal an ASCII character, so the scan reads bytes.
 */
export function isJsonDepthWithin(text: Uint8Array, maxDepth: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const byte = text[i];
    if (inString) {
      if (byte === backslash) i++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) {
      inString = true;
    } else if (byte === openBracket || byte === openBrace) {
      depth++;
      if (depth > maxDepth) return false;
    } else if (byte === closeBracket || byte === closeBrace) {
      depth--;
    }
  }
  return true;
}

const maxParsedDepth = 64;

/** Parses JSON of bounded depth; undefined when it is not JSON or nests too deeply. */
export function parseBoundedJson(text: Uint8Array): unknown {
  if (!isJsonDepthWithin(text, maxParsedDepth)) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text));
  } catch {
    // Not JSON, or not UTF-8 (RFC 8259 §8.1): the caller responds to both alike.
    return undefined;
  }
}
