import { createRequire } from 'node:module';
import { domainToASCII, domainToUnicode } from 'node:url';
import { boundedMap } from '../platform/bounded-map.ts';
import { lazily } from '../platform/lazily.ts';

/** Loaded with the first name that needs it: most are plain ASCII, and the tables of Unicode would be in the way of every start. */
const tr46 = lazily((): typeof import('tr46') => createRequire(import.meta.url)('tr46'));

/** UTS 46, non-transitional, strict. CheckHyphens stays off: hyphens in third and fourth place are allowed. */
const options = {
  checkBidi: true,
  checkHyphens: false,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  transitionalProcessing: false,
};

/** A name or a label in both forms. */
export interface IdnaForms {
  readonly ascii: string;
  readonly unicode: string;
}

/** Both forms of a name or a label, whatever their length; null when it has none. */
export function idnaForms(text: string): IdnaForms | null {
  const simple = decoded(text) ?? simpleForm(text);
  const unicode = simple ?? processed(text);
  if (unicode === null) return null;
  // Node reads a name that ends in a number as an IP address.
  const ascii = simple === null || /(?:^|\.)\d[^.]*\.?$/.test(simple) ? '' : domainToASCII(simple);
  return { ascii: ascii === '' ? (tr46().toASCII(unicode, options) ?? unicode) : ascii, unicode };
}

function processed(text: string): string | null {
  const { domain, error } = tr46().toUnicode(text, options);
  return error ? null : domain;
}

/** The readable form of a name in ASCII whose punycode decodes to a name that `simpleForm` accepts; null when another way must decide. */
function decoded(text: string): string | null {
  if (!/xn--/i.test(text) || /[^\x00-\x7f]/.test(text)) return null;
  const unicode = domainToUnicode(text);
  return simpleForm(unicode) === unicode && domainToASCII(unicode) === text.toLowerCase() ? unicode : null;
}

/** The mapped form of a character, where it depends on no other character. */
interface CharacterForm {
  readonly text: string;
  /** A label may not begin with a combining mark. */
  readonly mayBeginLabel: boolean;
}

/** `tr46` takes microseconds for each character of a name, so its verdicts are cached. */
const characterForms = boundedMap<string, CharacterForm | null>(20_000);

/**
 * A name with every character mapped, valid by what its characters are alone; null when more must be looked at: text that runs
 * from right to left, joiners, characters that compose, punycode.
 */
function simpleForm(text: string): string | null {
  let mapped = '';
  for (const character of text) {
    const form = formOf(character);
    if (form === null) return null;
    if (!form.mayBeginLabel && (mapped === '' || mapped.endsWith('.'))) return null;
    mapped += form.text;
  }
  return /(?:^|\.)xn--/.test(mapped) || mapped.normalize('NFC') !== mapped ? null : mapped;
}

function formOf(character: string): CharacterForm | null {
  const known = characterForms.get(character);
  if (known !== undefined) return known;
  const form = findForm(character);
  characterForms.set(character, form);
  return form;
}

function findForm(character: string): CharacterForm | null {
  if (/[.\u3002\uff0e\uff61]/.test(character)) return { text: '.', mayBeginLabel: true };
  // Behind a letter, a character that runs from right to left or joins others is refused.
  const behindLetter = processed(`a${character}`);
  const text = behindLetter?.slice(1) ?? '.';
  if (!behindLetter?.startsWith('a') || text.includes('.') || !isSameInNode(behindLetter)) return null;
  if (processed(character) === text) return { text, mayBeginLabel: true };
  return text === character ? { text, mayBeginLabel: false } : null;
}

/** Node's conversion is fast, but may be of another version of Unicode. */
function isSameInNode(label: string): boolean {
  return domainToUnicode(domainToASCII(label)) === label;
}
