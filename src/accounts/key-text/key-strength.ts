const minDistinctCharacters = 6;

/**
 * The reason why an imported key looks easy to guess; null when none is found. It is a warning only: a random key may look like a word,
 * and the text does not show how a key was generated.
 */
export function weaknessOf(key: string): string | null {
  if (new Set(key).size < minDistinctCharacters) return 'it has too few different characters';
  if (hasPeriod(key)) return 'it repeats a few characters over and over';
  if (isSequence(key)) return 'it is a sequence of neighbouring characters';
  if (isKeyboardRun(key)) return 'it follows the rows of a keyboard';
  if (isWordLike(key)) return 'it looks like words';
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

const keyboardRows = [
  '1234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
];
const neighbours = new Set(
  keyboardRows.flatMap((row) =>
    Array.from(row.slice(1), (key, index) => [`${row[index]}${key}`, `${key}${row[index]}`]).flat(),
  ),
);

/** Whether more than half of the characters are beside the previous one on a keyboard: `qwertyuiopasdfgh`. */
function isKeyboardRun(key: string): boolean {
  const text = key.toLowerCase();
  const followed = Array.from(text.slice(1)).filter((character, index) => neighbours.has(`${text[index]}${character}`));
  return followed.length * 2 > key.length;
}

/**
 * Whether the key is words, with punctuation and up to four digits or a sequence of digits each: letters without five consonants in a
 * row, which random letters usually contain.
 */
function isWordLike(key: string): boolean {
  const parts = key.split(/[^a-z0-9]+/i).filter((part) => part !== '');
  const isWord = (part: string): boolean => {
    const [, digits] = /^[a-z]*(\d*)$/i.exec(part) ?? [];
    return digits !== undefined && (digits.length <= 4 || isSequence(digits));
  };
  return parts.every(isWord) && !/[bcdfghj-np-tv-xz]{5}/i.test(key);
}
