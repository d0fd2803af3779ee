import table from '../../data/asn-words.json' with { type: 'json' };

interface Words {
  readonly exact: ReadonlySet<string>;
  readonly starts: readonly string[];
  readonly ends: readonly string[];
  readonly anywhere: readonly string[];
  readonly phrases: readonly string[];
}

const classes = table.entries.map((entry): [string, Words] => [entry.class, wordsOf(entry.words)]);
const largeWords = wordsOf(table.large.words);

/** What kind of network the name of its organisation tells, see data/asn-words.json; null when it tells nothing. */
export function classOfName(organisation: string, ipv4Addresses: number): string | null {
  const words = plainWords(organisation);
  const found = classes.find(([, known]) => isAmong(known, words));
  if (found !== undefined) return found[0];
  return ipv4Addresses >= table.largeAddresses && isAmong(largeWords, words) ? table.large.class : null;
}

/** Lower case, accents and dots dropped: "Telecomunicações S.A." is telecomunicacoes, sa. */
function plainWords(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/[\u0300-\u036f.]/g, '');
  return plain.toLowerCase().match(/[a-z0-9&]+/g) ?? [];
}

function isAmong({ exact, starts, ends, anywhere, phrases }: Words, words: readonly string[]): boolean {
  const text = ` ${words.join(' ')} `;
  return (
    words.some(
      (word) =>
        exact.has(word) ||
        starts.some((start) => word.startsWith(start)) ||
        ends.some((end) => word.endsWith(end)) ||
        anywhere.some((part) => word.includes(part)),
    ) || phrases.some((phrase) => text.includes(phrase))
  );
}

function wordsOf(patterns: readonly string[]): Words {
  const like = (shape: RegExp): string[] =>
    patterns.filter((pattern) => shape.test(pattern)).map((pattern) => pattern.replaceAll('*', ''));
  return {
    exact: new Set(like(/^[^* ]+$/)),
    starts: like(/^[^* ]+\*$/),
    ends: like(/^\*[^* ]+$/),
    anywhere: like(/^\*[^* ]+\*$/),
    phrases: like(/^[^*]* [^*]*$/).map((phrase) => ` ${phrase} `),
  };
}
