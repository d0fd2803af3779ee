import { isAscii } from '../address/ascii-labels.ts';

/** The names and words of `data/roles.json` and of the role package, indexed for lookups. */
export interface RoleNames {
  /** Whole local parts. */
  readonly names: ReadonlySet<string>;
  /** Words that make a role name together: `customer` and `service`. */
  readonly words: ReadonlySet<string>;
  /** Words that may appear beside such a word and mean nothing alone: `de` in `support-de`. */
  readonly places: ReadonlySet<string>;
}

/**
 * True for a local part that names a function. The whole of it before a `+` counts, case and accents folded; written in parts, it
 * is a role when the parts are one word together or words of functions each. A part of one letter is an initial: `h.r` is a person.
 */
export function isRoleName(roles: RoleNames, localPart: string): boolean {
  const plus = localPart.indexOf('+');
  const name = (plus < 0 ? localPart : localPart.slice(0, plus)).toLowerCase();
  return isAscii(name) ? isRole(roles, name) : spellings(name).some((spelling) => isRole(roles, spelling));
}

function isRole({ names, words, places }: RoleNames, name: string): boolean {
  if (names.has(name)) return true;
  const parts = partsOf(name);
  if (parts.length === 1 || parts.some((part) => part.length < 2)) return false;
  if (names.has(parts.join(''))) return true;
  return parts.some((part) => words.has(part)) && parts.every((part) => words.has(part) || places.has(part));
}

/** Letters that have no accent to remove, and the two ways to write an umlaut without one. */
const plainLetters = new Map(Object.entries({ ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ı: 'i' }));
const umlauts = new Map(Object.entries({ ä: 'ae', ö: 'oe', ü: 'ue' }));
/** A shorter name with an accent is a person's: `Aidé` is not the French `aide`. */
const shortestFolded = 5;

/** How a name in other letters than ASCII may be listed: in its own script, or without its accents. */
function spellings(name: string): string[] {
  const composed = name.normalize('NFKC').toLowerCase().normalize('NFC');
  if (composed.length < shortestFolded) return [composed];
  return [composed, withoutAccents(composed), withoutAccents(replaced(composed, umlauts))];
}

function withoutAccents(text: string): string {
  return replaced(text, plainLetters).normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}

function replaced(text: string, letters: ReadonlyMap<string, string>): string {
  return Array.from(text, (letter) => letters.get(letter) ?? letter).join('');
}

/** The parts between dots, hyphens and underscores, also repeated ones; a regular expression takes twice the time. */
function partsOf(name: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < name.length; index += 1) {
    if (!isSeparator(name.charCodeAt(index))) continue;
    if (index === 0 || start < index) parts.push(name.slice(start, index));
    start = index + 1;
  }
  parts.push(name.slice(start));
  return parts;
}

/** `-`, `.` or `_`. */
function isSeparator(code: number): boolean {
  return code === 0x2d || code === 0x2e || code === 0x5f;
}
