import { domainToUnicode } from 'node:url';

/**
 * Letters of other scripts that are drawn like one of a domain's letters: the rows of Unicode's confusables (UTS 39) for
 * Cyrillic, Greek and the Latin letters beyond ASCII, as far as IDNA allows them in a name.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  a: 'аαɑ',
  b: 'ьƅ',
  c: 'сϲᴄ',
  d: 'ԁɗ',
  e: 'еҽ',
  f: 'ƒ',
  g: 'ɡց',
  h: 'һհ',
  i: 'іıɩιɪ',
  j: 'јϳ',
  k: 'кκĸ',
  l: 'ӏǀ',
  m: 'мᴍ',
  n: 'пηո',
  o: 'оοσօ',
  p: 'рρ',
  q: 'ԛզ',
  r: 'гᴦ',
  s: 'ѕꜱ',
  t: 'тτ',
  u: 'υսᴜ',
  v: 'νѵᴠ',
  w: 'ԝωѡ',
  x: 'хχ',
  y: 'уγүу',
  z: 'ᴢ',
};
const plainLetters = new Map(
  Object.entries(lookAlikes).flatMap(([plain, others]) => [...others].map((letter) => [letter, plain] as const)),
);

/** A name in punycode with its look-alike letters replaced; null when other letters than ASCII remain. */
export function withoutLookAlikes(ascii: string): string | null {
  const plain = Array.from(domainToUnicode(ascii), (letter) => plainLetters.get(letter) ?? letter).join('');
  return /^[a-z0-9.-]+$/.test(plain) && plain !== ascii ? plain : null;
}
