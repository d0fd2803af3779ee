/** Cost of a slip fingers make: a missing, doubled, swapped or neighbouring letter. */
const likely = 1;
/** Cost of a neighbour on another keyboard than QWERTY: two of them are too much of a guess. */
export const likelyElsewhere = 1.125;
/** Cost of one vowel for another: a mistake of spelling, not of typing. */
const misspelt = 1.25;
/** Cost of any other letter too many or in the place of another. */
const odd = 1.5;

/** Keyboards as rows of keys. The digits of AZERTY need the shift key, so they count as no key's neighbours. */
const keyboards: readonly (readonly string[])[] = [
  ['1234567890-', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  ['1234567890', 'qwertzuiop', 'asdfghjkl', 'yxcvbnm'],
  ['', 'azertyuiop', 'qsdfghjklm', 'wxcvbn'],
];
/** How far each row is shifted to the right. */
const shifts = [0, 0.5, 0.75, 1.25];
/** Further apart than this, two keys are not neighbours. */
const reach = 1.3;
/** Characters that look alike. */
const lookalikes = ['0o', '1l', '1i'];
/** Letters that change places between QWERTY and another keyboard. */
const exchanged = ['yz', 'wz'];

const neighbourCosts = neighbourTable();
const vowels = new Set([...'aeiouy'].map((vowel) => vowel.charCodeAt(0)));

/**
 * How unlikely it is that `typed` was meant to be `target`: 0 when equal, the sum over its slips (Damerau-Levenshtein,
 * optimal string alignment), Infinity when more than `maxSlips` would be needed.
 */
export function slipCost(typed: string, target: string, maxSlips: number): number {
  return costFrom(typed, 0, target, 0, maxSlips);
}

function costFrom(typed: string, typedStart: number, target: string, targetStart: number, slipsLeft: number): number {
  let i = typedStart;
  let j = targetStart;
  while (i < typed.length && j < target.length && typed.charCodeAt(i) === target.charCodeAt(j)) {
    i++;
    j++;
  }
  const typedLeft = typed.length - i;
  const targetLeft = target.length - j;
  if (typedLeft === 0 && targetLeft === 0) return 0;
  if (slipsLeft === 0 || Math.abs(typedLeft - targetLeft) > slipsLeft) return Number.POSITIVE_INFINITY;
  const next = slipsLeft - 1;
  let best = Number.POSITIVE_INFINITY;
  if (targetLeft > 0) best = likely + costFrom(typed, i, target, j + 1, next);
  if (typedLeft > 0) best = Math.min(best, extraCost(typed, i) + costFrom(typed, i + 1, target, j, next));
  if (typedLeft > 0 && targetLeft > 0) {
    const wrong = wrongCost(typed.charCodeAt(i), target.charCodeAt(j));
    best = Math.min(best, wrong + costFrom(typed, i + 1, target, j + 1, next));
    const swapped =
      typed.charCodeAt(i) === target.charCodeAt(j + 1) && typed.charCodeAt(i + 1) === target.charCodeAt(j);
    if (swapped) best = Math.min(best, likely + costFrom(typed, i + 2, target, j + 2, next));
  }
  return best;
}

/** A letter too many: doubled, or caught together with the key before or after it. */
function extraCost(typed: string, index: number): number {
  const code = typed.charCodeAt(index);
  const before = typed.charCodeAt(index - 1);
  const after = typed.charCodeAt(index + 1);
  if (code === before || code === after) return likely;
  return Math.min(besideCost(code, before), besideCost(code, after));
}

function wrongCost(code: number, meant: number): number {
  const cost = besideCost(code, meant);
  return cost === odd && vowels.has(code) && vowels.has(meant) ? misspelt : cost;
}

/** The cost of one key for another, which depends on how far apart they are. */
function besideCost(a: number, b: number): number {
  return a < 128 && b < 128 ? (neighbourCosts[a * 128 + b] as number) : odd;
}

function neighbourTable(): Float64Array {
  const table = new Float64Array(128 * 128).fill(odd);
  for (const [index, rows] of keyboards.entries()) {
    const cost = index === 0 ? likely : likelyElsewhere;
    const keys = rows.flatMap((row, y) =>
      [...row].map((key, x) => ({ code: key.charCodeAt(0), x: x + (shifts[y] ?? 0), y })),
    );
    for (const a of keys) {
      for (const b of keys) {
        const at = a.code * 128 + b.code;
        const isBeside = a !== b && Math.hypot(a.x - b.x, a.y - b.y) <= reach;
        if (isBeside) table[at] = Math.min(cost, table[at] as number);
      }
    }
  }
  for (const [pairs, cost] of [
    [lookalikes, likely],
    [exchanged, likelyElsewhere],
  ] as const) {
    for (const pair of pairs) {
      const [a, b] = [pair.charCodeAt(0), pair.charCodeAt(1)];
      table[a * 128 + b] = cost;
      table[b * 128 + a] = cost;
    }
  }
  return table;
}
