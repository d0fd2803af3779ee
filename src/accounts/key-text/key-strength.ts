const fewestDifferent = 6;

/**
 * Why a key from elsewhere is too easy to guess; null when nothing speaks against it. This finds what people type when they are asked for a
 * key, not every bad one: how a key was made cannot be seen from it.
 */
export function weaknessOf(key: string): string | null {
  if (new Set(key).size < fewestDifferent) return 'it has too few different characters';
  if (hasPeriod(key)) return 'it repeats a few characters over and over';
  if (isSequence(key)) return 'it is a sequence of neighbouring characters';
  if (isWordLike(key)) return 'it looks like a word';
  return null;
}

/** Its second half says nothing that the first did not. */
function hasPeriod(key: string): boolean {
  for (let period = 1; period * 2 <= key.length; period += 1) {
    if (key.slice(period) === key.slice(0, -period)) return true;
  }
  return false;
}

/** More than half of the characters are as far from the one before as it was from its own: `aaaa`, `1234`, `9876`. */
function isSequence(key: string): boolean {
  const steps = Array.from(key.slice(1), (character, index) => character.charCodeAt(0) - key.charCodeAt(index));
  const like = steps.filter((step, index) => Math.abs(step) <= 1 && step === steps[index - 1]);
  return like.length * 2 > key.length;
}

/** Letters, perhaps a short number behind them, and vowels as often as in words: random letters have five consonants in a row soon. */
function isWordLike(key: string): boolean {
  return /^[a-z]+\d{0,4}$/i.test(key) && !/[bcdfghj-np-tv-xz]{5}/i.test(key);
}
