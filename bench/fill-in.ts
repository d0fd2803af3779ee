/**
 * Makes a request unique: `{n}` becomes a number that is never repeated, `{seen}` one of 2,000 repeated numbers, `{ip}` an
 * address. Each has a fixed length, so that the length of a body is known.
 */
export function fillIn(text: string, count: number): string {
  if (!text.includes('{')) return text;
  return text
    .replaceAll('{n}', String(count).padStart(9, '0'))
    .replaceAll('{seen}', String(count % 2_000).padStart(4, '0'))
    .replaceAll('{ip}', addressOf(count));
}

/** Four bytes of three digits each. */
function addressOf(count: number): string {
  return [1e6, 1e4, 100, 1].map((unit) => 100 + (Math.floor(count / unit) % 100)).join('.');
}
