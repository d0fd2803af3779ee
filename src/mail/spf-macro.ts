/** The values that a macro may expand to when nothing is known of the sender. */
export interface StaticMacroValues {
  /** `%{d}`: the domain whose record is being read. */
  readonly domain: string;
  /** `%{o}`: the domain of the sender, here the domain that was asked about. */
  readonly sender: string;
}

const maxNameLength = 253;
const topLabel = /^(?:[a-z0-9]*[a-z][a-z0-9]*|[a-z0-9]+-[a-z0-9-]*[a-z0-9])$/i;
const macroBody = /^([slodiphcrtv])(\d*)(r?)([.\-+,/_=]*)$/i;
/** One piece of a macro-string: an expansion, or literal text (RFC 7208 section 7.1: %x21-24 / %x26-7E). */
const piece = /%\{([^}]*)\}|%[%_-]|[\x21-\x24\x26-\x7e]+/y;

/** Cuts a macro-string into its pieces; null when it is not one (RFC 7208 section 7.1). */
function piecesOf(text: string): RegExpExecArray[] | null {
  const pieces: RegExpExecArray[] = [];
  piece.lastIndex = 0;
  while (piece.lastIndex < text.length) {
    const match = piece.exec(text);
    if (match === null) return null;
    if (match[1] !== undefined && !isMacro(match[1])) return null;
    pieces.push(match);
  }
  return pieces;
}

/** Section 7.1: a number of parts, when given, is not zero. */
function isMacro(body: string): boolean {
  const match = macroBody.exec(body);
  return match !== null && (match[2] === '' || Number(match[2]) > 0);
}

/** The macro letters a macro-string uses, lower case; null when it is malformed. */
function lettersOf(text: string): string[] | null {
  const pieces = piecesOf(text);
  return pieces?.flatMap((match) => (match[1] === undefined ? [] : [match[1].charAt(0).toLowerCase()])) ?? null;
}

/** Whether a text is a macro-string, the value of an unknown modifier (RFC 7208 section 6). */
export function isMacroString(text: string): boolean {
  return piecesOf(text) !== null;
}

/** Whether a text is a domain-spec: a macro-string that ends in a top label or an expansion (RFC 7208 section 7.1). */
export function isDomainSpec(text: string): boolean {
  const pieces = piecesOf(text);
  const last = pieces?.at(-1);
  if (last === undefined) return false;
  // Section 7.2: c, r and t are for explanation texts only.
  if (lettersOf(text)?.some((letter) => 'crt'.includes(letter))) return false;
  if (last[0].startsWith('%')) return true;
  const literal = last[0].endsWith('.') ? last[0].slice(0, -1) : last[0];
  const dot = literal.lastIndexOf('.');
  // No label is longer than 63 (RFC 1035 section 2.3.4); the bound also keeps the pattern cheap.
  return dot >= 0 && literal.length - dot <= 64 && topLabel.test(literal.slice(dot + 1));
}

/** Whether expanding a domain-spec costs a further PTR lookup (RFC 7208 section 4.6.4, `%{p}`). */
export function needsPtrLookup(spec: string): boolean {
  return lettersOf(spec)?.includes('p') ?? false;
}

/** The name that a domain-spec expands to, lower case; null when it depends on the sender. */
export function expandDomainSpec(spec: string, values: StaticMacroValues): string | null {
  const pieces = piecesOf(spec) ?? [];
  if (pieces.some((match) => match[1] !== undefined && !/^[do]/i.test(match[1]))) return null;
  let name = '';
  // From the right, because a long name is cut off on the left: a record of nothing but macros stays cheap.
  for (const match of pieces.reverse()) {
    if (name.length > maxNameLength + 1) break;
    name = expandPiece(match, values) + name;
  }
  return shorten(name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase();
}

function expandPiece(match: RegExpExecArray, values: StaticMacroValues): string {
  const body = match[1];
  if (body !== undefined) return expandMacro(body, values);
  if (match[0] === '%%') return '%';
  if (match[0] === '%_') return ' ';
  return match[0] === '%-' ? '%20' : match[0];
}

function expandMacro(body: string, values: StaticMacroValues): string {
  const [, letter = '', digits = '', reverse = '', delimiters = ''] = macroBody.exec(body) ?? [];
  const value = letter.toLowerCase() === 'd' ? values.domain : values.sender;
  // Section 7.3: split at the delimiters, reverse, keep the right-hand parts, join with dots.
  const separators = delimiters === '' ? '.' : delimiters;
  const dotted = [...value].map((char) => (separators.includes(char) ? '\0' : char)).join('');
  const parts = dotted.split('\0');
  if (reverse !== '') parts.reverse();
  return (digits === '' ? parts : parts.slice(-Number(digits))).join('.');
}

/** Section 7.3: a name that became too long loses labels from the left. */
function shorten(name: string): string {
  if (name.length <= maxNameLength) return name;
  const tail = name.slice(-maxNameLength);
  return name.charAt(name.length - maxNameLength - 1) === '.' ? tail : tail.slice(tail.indexOf('.') + 1);
}

/** Whether a name can be asked for: several labels of 1 to 63 characters, 253 in total (RFC 7208 section 4.3). */
export function isQueryable(name: string): boolean {
  const labels = name.split('.');
  return (
    name.length <= maxNameLength && labels.length > 1 && labels.every((part) => part.length > 0 && part.length <= 63)
  );
}
