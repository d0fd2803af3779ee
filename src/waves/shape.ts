const letter = /\p{L}/u;
const digit = /\p{Nd}/u;

/** The shape of a local part in lower case: `a` for each letter, `9` for each digit, other characters as they are. */
export function shapeOf(localPart: string): string {
  let shape = '';
  for (let index = 0; index < localPart.length; index += 1) {
    const code = localPart.charCodeAt(index);
    if (code >= 0x61 && code <= 0x7a) shape += 'a';
    else if (code >= 0x30 && code <= 0x39) shape += '9';
    else if (code < 0x80) shape += localPart.charAt(index);
    else return slowShapeOf(localPart);
  }
  return shape;
}

function slowShapeOf(localPart: string): string {
  return Array.from(localPart, (character) => {
    if (letter.test(character)) return 'a';
    return digit.test(character) ? '9' : character;
  }).join('');
}
