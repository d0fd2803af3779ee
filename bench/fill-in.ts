/**
 * A request made different from all others: `{n}` is a number that never comes again, `{seen}` one of 2,000 that come again and
 * again, `{ip}` an address. Each always takes the same room, so that the length of a body is known.
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
