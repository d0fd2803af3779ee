/**
 * Makes a request unique: `{n}` becomes a number that is never repeated, `{seen}` one of 2,000 repeated numbers, `{ip}` an
 * address. Addresses with `{n}` have one shape, and a hundred `{ip}` one network: an attack. `{person}` and `{home}` are a local part and
 * an IP address that have little in common with others. Each has a fixed length, so that the length of a body is known.
 */
export function fillIn(text: string, count: number): string {
  if (!text.includes('{')) return text;
  return text
    .replaceAll('{n}', String(count).padStart(9, '0'))
    .replaceAll('{seen}', String(count % 2_000).padStart(4, '0'))
    .replaceAll('{ip}', addressOf(count))
    .replaceAll('{person}', personOf(count))
    .replaceAll('{home}', addressOf(scattered(count)));
}

/** Nine letters and digits in any order. */
const personOf = (count: number): string => {
  const number = scattered(count);
  return `${number.toString(36)}${scattered(number).toString(36)}`.padEnd(9, 'x').slice(0, 9);
};

/** A number below 100 million, another for each number below 100 million. */
const scattered = (count: number): number => Number((BigInt(count) * 61_803_399n + 12_345_678n) % 100_000_000n);

/** Four bytes of three digits each. */
function addressOf(count: number): string {
  return [1e6, 1e4, 100, 1].map((unit) => 100 + (Math.floor(count / unit) % 100)).join('.');
}
