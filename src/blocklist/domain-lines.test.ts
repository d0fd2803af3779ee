import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainLines } from './domain-lines.ts';

function read(text: string): [number, string][] {
  return Array.from(domainLines(text), ({ line, text: domain }) => [line, domain]);
}

const cases: readonly [about: string, text: string, expected: [number, string][]][] = [
  [
    'one domain per line',
    'a.example\nb.example',
    [
      [1, 'a.example'],
      [2, 'b.example'],
    ],
  ],
  [
    'counts and skips blank lines',
    '\na.example\n\n  \nb.example\n',
    [
      [2, 'a.example'],
      [5, 'b.example'],
    ],
  ],
  [
    'counts and skips comments, as whole lines and at line ends',
    '# ours\na.example # since May\n  #b.example\nc.example#d',
    [
      [2, 'a.example'],
      [4, 'c.example#d'],
    ],
  ],
  ['a comment above the heading leaves it the heading', '# ours\nname,domain\n# one\nx,a.example', [[4, 'a.example']]],
  [
    'trims blanks around a domain',
    ' a.example \n\tb.example\r',
    [
      [1, 'a.example'],
      [2, 'b.example'],
    ],
  ],
  [
    'returns an invalid line unchanged',
    'a b\n"x',
    [
      [1, 'a b'],
      [2, '"x'],
    ],
  ],
  ['a first line "domain" is a heading', 'domain\na.example', [[2, 'a.example']]],
  [
    'the column "domain" of a CSV file',
    'id,Domain,note\n1,a.example,x\n2,b.example,y',
    [
      [2, 'a.example'],
      [3, 'b.example'],
    ],
  ],
  [
    'quoted fields of a CSV file',
    '"note","domain"\n"a, ""b""","a.example"\n,b.example',
    [
      [2, 'a.example'],
      [3, 'b.example'],
    ],
  ],
  ['a CSV line without that column is an empty domain', 'id,domain\n1', [[2, '']]],
  [
    'the column "domain" of a file with semicolons',
    'reason;domain\n"a;\nb";a.example\n;b.example',
    [
      [2, 'a.example'],
      [4, 'b.example'],
    ],
  ],
  ['an empty file', '', []],
];

for (const [about, text, expected] of cases) {
  test(`the domains of a file: ${about}`, () => {
    assert.deepEqual(read(text), expected);
  });
}

test('a reason is cut to 200 characters that every database stores', () => {
  const [line] = domainLines(`domain,reason\na.example,"${'\u{1f600}'.repeat(201)}"`);
  assert.equal(line?.reason, '\u{1f600}'.repeat(200));
});
