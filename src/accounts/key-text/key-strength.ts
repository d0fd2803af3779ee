const minDistinctCharacters = 6;

/**
 * The reason why an imported key looks easy to guess; null when none is found. It is a warning only: a random key may look like a word,
 * and the text does not show how a key was generated.
 */
export function weaknessOf(key: string): string | null {
  if (new Set(key).size < minDistinctCharacters) return 'it has too few different characters';
  if (hasPeriod(key)) return 'it repeats a few characters over and over';
  if (isSequence(key)) return 'it is a sequence of neighbouring characters';
  if (isWordLike(key)) return 'it looks like a word';
  return null;
}

/** Whether the key repeats a part that is at most half as long as the key. */
function hasPeriod(key: string): boolean {
  for (let period = 1; period * 2 <= key.length; period += 1) {
    if (key.slice(period) === key.slice(0, -period)) return true;
  }
  return false;
}

/** Whether more than half of the characters continue a run of equal steps of at most one: `aaaa`, `1234`, `9876`. */
function isSequence(key: string): boolean {
  const steps = Array.from(key.slice(1), (character, index) => character.charCodeAt(0) - key.charCodeAt(index));
  const continued = steps.filter((step, index) => Math.abs(step) <= 1 && step === steps[index - 1]);
  return continued.length * 2 > key.length;
}

/** Whether the key is letters and up to four digits, without five consonants in a row, which random letters usually contain. */
function isWordLike(key: string): boolean {
  return /^[a-z]+\d{0,4}$/i.test(key) && !/[bcdfghj-np-tv-xz]{5}/i.test(key);
}
