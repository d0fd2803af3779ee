import table from '../../data/asn-words.json' with { type: 'json' };

interface Words {
  readonly exact: ReadonlySet<string>;
  readonly starts: readonly string[];
  readonly ends: readonly string[];
  readonly anywhere: readonly string[];
  /** Patterns by their first word: a name takes a few comparisons instead of one per phrase, which halves the compilation. */
  readonly phrases: ReadonlyMap<string, readonly string[]>;
}

/** The class derived from a name, and the pattern that matched. */
export interface NameRule {
  readonly class: string;
  readonly pattern: string;
}

const groups = [...table.entries.map((entry) => ({ ...entry, addresses: 0 })), ...table.sized].map((entry) => ({
  class: entry.class,
  addresses: entry.addresses,
  words: wordsOf(entry.words),
}));

/** The class of a network by the name of its organisation, see data/asn-words.json; null when no pattern matches. */
export function ruleOfName(organisation: string, ipv4Addresses: number): NameRule | null {
  const words = plainWords(organisation);
  for (const group of groups) {
    const pattern = ipv4Addresses < group.addresses ? null : patternFor(group.words, words);
    if (pattern !== null) return { class: group.class, pattern };
  }
  return null;
}

/** Lower case, no accents, initials joined: "Telecomunicações S.A." is telecomunicacoes, sa; "green.ch" is green, ch. */
function plainWords(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/[\u0300-\u036f]|(?<=\b[a-z])\.(?=[a-z]\b)/gi, '');
  return plain.toLowerCase().match(/[a-z0-9&]+/g) ?? [];
}

function patternFor({ exact, starts, ends, anywhere, phrases }: Words, words: readonly string[]): string | null {
  for (const word of words) {
    if (exact.has(word)) return word;
    const start = starts.find((each) => word.startsWith(each));
    if (start !== undefined) return `${start}*`;
    const end = ends.find((each) => word.endsWith(each));
    if (end !== undefined) return `*${end}`;
    const part = anywhere.find((each) => word.includes(each));
    if (part !== undefined) return `*${part}*`;
  }
  const text = ` ${words.join(' ')} `;
  for (const word of words) {
    const phrase = phrases.get(word)?.find((each) => text.includes(` ${each} `));
    if (phrase !== undefined) return phrase;
  }
  return null;
}

function wordsOf(patterns: readonly string[]): Words {
  const like = (shape: RegExp): string[] =>
    patterns.filter((pattern) => shape.test(pattern)).map((pattern) => pattern.replaceAll('*', ''));
  return {
    exact: new Set(like(/^[^* ]+$/)),
    starts: like(/^[^* ]+\*$/),
    ends: like(/^\*[^* ]+$/),
    anywhere: like(/^\*[^* ]+\*$/),
    phrases: Map.groupBy(like(/^[^*]* [^*]*$/), (phrase) => phrase.slice(0, phrase.indexOf(' '))),
  };
}
