const words = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
const signs: Readonly<Record<string, string>> = {
  '.': 'dot',
  '-': 'hyphen',
  _: 'underscore',
  '+': 'plus sign',
};

/** A shape in words: `aaaa.99` is "four letters, dot, two digits". */
export function shapeText(shape: string): string {
  return [...shape.matchAll(/a+|9+|[^a9]/g)].map(([run]) => runText(run)).join(', ');
}

function runText(run: string): string {
  const noun = run[0] === 'a' ? 'letter' : run[0] === '9' ? 'digit' : null;
  if (noun === null) return signs[run] ?? `“${run}”`;
  return `${words[run.length] ?? run.length} ${noun}${run.length === 1 ? '' : 's'}`;
}
