/** 1 for each ASCII character of `atext` (RFC 5322 section 3.2.3). */
const atext = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-/=?^_`{|}~") {
  atext[character.charCodeAt(0)] = 1;
}

/**
 * Beyond ASCII, RFC 6531 takes every character; control, format and blank ones, private and unassigned ones and lone
 * surrogates are refused here: they are invisible, so two addresses that look the same would not be.
 */
const invisible = /[\p{C}\p{Z}]/u;

/** Between two characters of a word (or of an emoji) a joiner is visible: Persian, Hindi and others are written with it. */
const joinerInside =
  /(?<=[[\p{L}\p{M}]--\p{Script=Latin}]|\p{Extended_Pictographic}|\p{Emoji_Modifier})[\u200c\u200d](?=[[\p{L}\p{M}]--\p{Script=Latin}]|\p{Extended_Pictographic})/gv;

function isVisible(text: string): boolean {
  return !invisible.test(text.replace(joinerInside, ''));
}

/** Whether a text is a `Dot-string` of RFC 5321, widened to UTF-8 by RFC 6531. */
export function isDotAtom(text: string): boolean {
  let beyondAscii = false;
  let previous = 0x2e;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x2e) {
      if (previous === 0x2e) return false;
    } else if (code > 0x7f) beyondAscii = true;
    else if (atext[code] !== 1) return false;
    previous = code;
  }
  return previous !== 0x2e && (!beyondAscii || isVisible(text));
}

/** Whether a text is a `Quoted-string` of RFC 5321, widened to UTF-8 by RFC 6531. */
export function isQuotedString(text: string): boolean {
  const last = text.length - 1;
  if (last < 1 || text.charCodeAt(0) !== 0x22 || text.charCodeAt(last) !== 0x22) return false;
  for (let index = 1; index < last; index++) {
    let code = text.charCodeAt(index);
    if (code === 0x22) return false;
    if (code === 0x5c) {
      index++;
      code = text.charCodeAt(index);
      // quoted-pairSMTP covers ASCII only, and the closing quote is not part of a pair.
      if (index === last || code > 0x7e) return false;
    }
    if (code < 0x20 || code === 0x7f) return false;
  }
  return isVisible(text.replaceAll(' ', ''));
}

/** Removes the quotes and backslashes of a local part; returns a dot-atom unchanged. */
export function unquote(localPart: string): string {
  return localPart.startsWith('"') ? localPart.slice(1, -1).replace(/\\(.)/gs, '$1') : localPart;
}

/** The shortest local part that says this: quotes only where a dot-atom cannot. */
export function quoteIfNeeded(content: string): string {
  return isDotAtom(content) ? content : `"${content.replace(/["\\]/g, '\\$&')}"`;
}
