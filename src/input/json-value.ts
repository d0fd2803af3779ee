/** True for a JSON object. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** PostgreSQL stores no NUL in a text, and a lone surrogate has no UTF-8 form. */
export function isStorableText(value: string): boolean {
  return !value.includes('\u0000') && value.isWellFormed();
}

/**
 * Control characters and line separators would rewrite the terminal and the log lines that show a text, and format characters such as
 * bidirectional overrides make it look like another. Joiners do neither: Persian, Hindi and emoji are written with them.
 */
export function hasControlCharacters(value: string): boolean {
  return /[\p{Cc}\p{Zl}\p{Zp}[\p{Cf}--[\u200c\u200d]]]/v.test(value);
}

/** The length of a text as a person counts it: code points, not UTF-16 units. */
export function characterCount(value: string): number {
  let count = value.length;
  // An iterator makes an object and a text for each character.
  for (let index = 1; index < value.length; index += 1) {
    if (isLowSurrogate(value.charCodeAt(index)) && isHighSurrogate(value.charCodeAt(index - 1))) count -= 1;
  }
  return count;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;
