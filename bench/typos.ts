import type { SeededRandom } from './seeded-random.ts';

/** A typing error and the intended domain. */
export interface Typo {
  readonly typed: string;
  readonly meant: string;
}

/** The largest mailbox services, where most typing errors happen. Listed here rather than read from the suggester's own table. */
const targets = [
  'gmail.com',
  'yahoo.com',
  'hotmail.com',
  'outlook.com',
  'icloud.com',
  'googlemail.com',
  'protonmail.com',
  'rocketmail.com',
  'comcast.net',
  'verizon.net',
  'sbcglobal.net',
  'bellsouth.net',
  'btinternet.com',
  'yahoo.co.uk',
  'hotmail.co.uk',
  'hotmail.fr',
  'yahoo.fr',
  'yandex.ru',
  'orange.fr',
  'libero.it',
] as const;

/** Real domains that are one slip from a target: a user may well mean them. */
const realNeighbours = new Set(['ymail.com', 'cloud.com']);

const rows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** The keys around a letter on a QWERTY keyboard. */
function neighbours(letter: string): string[] {
  const y = rows.findIndex((row) => row.includes(letter));
  const x = rows[y]?.indexOf(letter) ?? -1;
  // Each row is set half a key to the right of the one above.
  const around = [
    [y, x - 1],
    [y, x + 1],
    [y - 1, x],
    [y - 1, x + 1],
    [y + 1, x - 1],
    [y + 1, x],
  ] as const;
  return y < 0 ? [] : around.flatMap(([row, column]) => rows[row]?.[column] ?? []);
}

/** Every result of one slip in a word: a key missed, repeated, replaced by a neighbour, joined by one, or swapped. */
function slips(word: string): string[] {
  return [...word].flatMap((letter, at) => {
    const [before, after] = [word.slice(0, at), word.slice(at + 1)];
    const next = word[at + 1];
    return [
      before + after,
      before + letter + letter + after,
      ...neighbours(letter).flatMap((key) => [before + key + after, before + letter + key + after]),
      ...(next === undefined ? [] : [before + next + letter + word.slice(at + 2)]),
    ];
  });
}

/**
 * Generated typing errors: one slip in the name, or one in the suffix that results in no existing suffix. `isReal` excludes
 * existing domains.
 */
export function generatedTypos(
  random: SeededRandom,
  count: number,
  isSuffix: (name: string) => boolean,
  isReal: (name: string) => boolean,
): Typo[] {
  const typos = new Map<string, string>();
  const isUsable = (typed: string): boolean => !realNeighbours.has(typed) && !isReal(typed);
  for (const meant of targets) {
    const dot = meant.indexOf('.');
    const [label, suffix] = [meant.slice(0, dot), meant.slice(dot + 1)];
    const wrongSuffixes = slips(suffix).filter((each) => each.length > 1 && !each.startsWith('.') && !isSuffix(each));
    const typed = [
      ...slips(label).map((each) => `${each}.${suffix}`),
      ...wrongSuffixes.map((each) => `${label}.${each}`),
    ];
    for (const each of random.sample([...new Set(typed)], count)) {
      if (each !== meant && isUsable(each)) typos.set(each, meant);
    }
  }
  return Array.from(typos, ([typed, meant]) => ({ typed, meant }));
}

/** Typing errors collected by hand, including those with more than one slip. */
export const handWrittenTypos: readonly Typo[] = Object.entries({
  'gmail.com':
    'gmial.com gmai.com gmal.com gnail.com gmail.con gmail.co gmail.cm gmail.om gmaill.com gamil.com gmaik.com gmil.com gimail.com gmail.comm gmail.vom gmail.xom gmailc.om gmaul.com ggmail.com',
  'yahoo.com': 'yaho.com yahooo.com yhaoo.com yahoo.con yahoo.co yaoo.com yhoo.com yahho.com yajoo.com yahoo.cim',
  'hotmail.com':
    'hotmial.com hotmal.com hotmai.com hotmil.com hotmail.con hotmail.co homail.com htomail.com hotmaill.com hotamil.com hormail.com hotmsil.com',
  'outlook.com': 'outlok.com outloook.com outlook.con oulook.com outllok.com outlook.co otulook.com outlool.com',
  'icloud.com': 'iclod.com icloud.con iclould.com icoud.com icluod.com iclud.com icloud.co',
  'comcast.net': 'comcast.ney comcst.net comcas.net concast.net',
  'protonmail.com': 'protonmial.com protomail.com protonmail.con protonmal.com',
  'yahoo.co.uk': 'yahoo.co.ik yaho.co.uk yahooo.co.uk yahoo.couk',
  'hotmail.co.uk': 'hotmial.co.uk hotmai.co.uk hotmail.co.ul',
  'hotmail.fr': 'hotmial.fr hotmal.fr hotmai.fr',
  'orange.fr': 'ornage.fr oragne.fr orage.fr',
  'aol.com': 'aol.con aol.cmo aol.vom',
  'live.com': 'live.con live.cmo',
}).flatMap(([meant, typed]) => typed.split(' ').map((each) => ({ typed: each, meant })));
