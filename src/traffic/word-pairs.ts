/** 32-bit numbers in arrays of 16-bit words, beside values that need only 16: a slot takes 10 bytes instead of 12. */
export function readInt(words: Uint16Array, at: number): number {
  return (words[at] as number) | ((words[at + 1] as number) << 16);
}

export function writeInt(words: Uint16Array, at: number, value: number): void {
  words[at] = value;
  words[at + 1] = value >>> 16;
}
