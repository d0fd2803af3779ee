import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RE2JS, RE2JSException } from 're2js';
import { compileRegex, maxCountedSize, maxPatternLength } from './regex.ts';
import { hasCountedRepetition, regexCosts, regexSize } from './regex-cost.ts';

const counts = [2, 5, 10, 30, 100, 300, 1000];
const fill = (piece: string) => piece.repeat(Math.floor(maxPatternLength / piece.length));

/** Families of patterns that hang a backtracking engine, or blow up the program or the automaton of another one. */
const hostileFamilies: Readonly<Record<string, readonly string[]>> = {
  'nested quantifiers': ['a', '\\w', '.', '[a-z0-9]', 'a|a', 'a|ab', '\\pL', 'x?'].flatMap((atom) => [
    `^(${atom})+$`,
    `^((${atom})+)+$`,
    `^((${atom})*)*$`,
    `^(((${atom})+)*)+!$`,
    `(${atom})*(${atom})*(${atom})*!`,
  ]),
  'counted repetitions': counts.flatMap((count) => [
    `a{${count}}`,
    `a{0,${count}}!`,
    `.{${count}}!`,
    `(?:a?){${count}}a{${count}}`,
    `[a-z]{${count},}$`,
  ]),
  'nested counted repetitions': counts.flatMap((count) => [
    `(?:a{${count}}){${count}}`,
    `(?:.{0,${count}}x){${count}}`,
    `((a{${count}}b?){${count}}c?){${count}}`,
    `(?:(?:(?:a{10}){10}){10}){${count}}`,
  ]),
  'an automaton with exponentially many states': counts.flatMap((count) => [
    `(?:a|b)*a(?:a|b){${count}}!`,
    `.*a.{${count}}!`,
    `(?:[ab]*a[ab]{${count}}){3}!`,
    `\\b\\w*a\\w{${count}}!`,
  ]),
  'unicode classes': ['\\pL', '\\PL', '\\p{Greek}', '[^\\pN]', '[\\pL\\pN]', '(?i:\\p{Lu})'].flatMap((atom) => [
    `${atom}{100}!`,
    `${atom}{1000}`,
    `(?:${atom}*){50}!`,
    fill(atom),
  ]),
  'wide ranges': ['[B-\\x{1E942}]', '[^B-\\x{1E942}]', '[\\x00-\\x{10FFFF}]', '[Ā-￿]'].flatMap((atom) => [
    fill(atom),
    `${atom}{1000}`,
    `${atom}{20}!`,
  ]),
  alternations: [
    fill('a|'),
    fill('.*a|'),
    `(?:${fill('aa|').slice(0, 480)}a)*!`,
    `(?:${Array.from({ length: 60 }, (_, index) => `[ab]*${'a'.repeat(index % 5)}b`).join('|')}`
      .slice(0, 500)
      .concat(')!'),
    '(?:a|b|ab|ba|aab|bba)*!',
    '(?:a?b?|b?a?){100}!',
  ],
  'many stars': [
    fill('.*'),
    fill('.*a'),
    fill('a*'),
    fill('a+'),
    fill('(a*)'),
    fill('.*?'),
    fill('(?:.?)*'),
    fill('\\b.*'),
  ],
  'deep nesting': [
    '('.repeat(255) + ')'.repeat(255),
    `${'(?:'.repeat(100)}a${')*'.repeat(100)}`,
    `${'('.repeat(150)}a${')?'.repeat(150)}`,
    '('.repeat(512),
    '['.repeat(512),
    '(?:'.repeat(170),
  ],
  'empty pieces': [
    '(?:)*',
    '(|a)*!',
    '(?:|){1000}',
    '(?:(?:)*)*',
    '()*()*()*!',
    '(?:(?:){1000}){1000}',
    '^*$*',
    '\\b*!',
  ],
  'what RE2 refuses': [
    '(?=a)',
    '(?<=a)b',
    '(a)\\1',
    'a**',
    'a{1001}',
    '*',
    '[z-a]',
    '\\',
    '(?P<n',
    '\\p{Nope}',
    'a)',
    '(?x)',
  ],
};

const hostile = Object.entries(hostileFamilies).flatMap(([family, patterns]) =>
  patterns.map((pattern) => ({ family, pattern })),
);

/** The longest texts a field can have, chosen to keep many states alive. */
const longTexts = [
  'a'.repeat(320),
  'ab'.repeat(160),
  Array.from({ length: 320 }, (_, index) => ((index * index * 7 + index) % 5 < 2 ? 'a' : 'b')).join(''),
  `${'x'.repeat(62)}.`.repeat(5),
  'жß'.repeat(160),
];

describe('hostile regular expressions', () => {
  it('hostile regular expressions are at least 200', () => {
    assert.ok(hostile.length >= 200, String(hostile.length));
  });

  for (const [family, patterns] of Object.entries(hostileFamilies)) {
    it(`a hostile regular expression is refused, or has a bounded program that answers as the unbounded engine does: ${family}`, () => {
      for (const pattern of patterns) {
        const regex = compileRegex(pattern);
        if (!regex.ok) {
          assert.match(regex.problem, /^The regular expression .*\.$/, pattern);
          continue;
        }
        // An evaluation makes at most (program size × length of the text) steps: the engine is linear.
        const reference = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
        assert.ok(reference.programSize() <= maxCountedSize + 3, pattern);
        for (const text of longTexts) assert.equal(regex.test(text), reference.matcher(text).find(), pattern);
      }
    });
  }

  it('hostile regular expressions are refused without being compiled when their program would be huge', () => {
    for (const pattern of ['(?:a{100}){10}{10}', `(?:${'a'.repeat(490)}){1000}`, '\\pL{1000}', fill('a{1000}')]) {
      assert.ok(regexSize(pattern) > maxCountedSize, pattern);
      assert.match(problemOf(pattern), /too large/);
    }
  });

  it('hostile regular expressions are refused with the limit they break, and what they come to [D299]', () => {
    assert.equal(
      problemOf('a{1000}'),
      'The regular expression is too large: with its counted repetitions written out it counts 1,002 instructions, and may count 1,000.',
    );
  });

  it('hostile regular expressions are refused by RE2 with its reason', () => {
    assert.equal(problemOf('a('), 'The regular expression is not RE2 syntax: missing closing ).');
    assert.match(problemOf('(?=a)'), /not RE2 syntax: invalid or unsupported Perl syntax/);
    assert.match(problemOf('(a)\\1'), /not RE2 syntax: invalid escape sequence/);
  });
});

function problemOf(pattern: string): string {
  const regex = compileRegex(pattern);
  assert.ok(!regex.ok, pattern);
  return regex.problem;
}

describe('regular expressions people write', () => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ['^(info|admin|support)$', 'ADMIN', true],
    ['^(info|admin|support)$', 'administrator', false],
    ['[0-9]{4,}', 'jane2024', true],
    ['(^|\\.)example\\.com$', 'mail.example.com', true],
    ['(^|\\.)example\\.com$', 'notexample.com', false],
    ['^[a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,253}$', 'Jane.Doe@example.com', true],
    ['^[a-z]+[0-9]+$', 'JANE1', true],
    ['\\Qa.b\\E$', 'xa.b', true],
    ['\\Qa.b\\E$', 'xaxb', false],
    ['\\x{43F}\\x{440}', 'ПРИВЕТ', true],
    ['[а-я]+', 'ПРИВЕТ', true],
    ['(?P<tag>\\+.*)@', 'jane+x@example.com', true],
    ['^\\pL{2,60}$', 'Zoë', true],
    ['a{2}b{,3}', 'aab{,3}', true],
    ['a'.repeat(512), 'A'.repeat(512), true],
  ];
  for (const [pattern, text, expected] of rows) {
    it(`the regular expression ${pattern.slice(0, 60)} ${expected ? 'matches' : 'does not match'} ${text.slice(0, 30)}`, () => {
      const regex = compileRegex(pattern);
      assert.ok(regex.ok, JSON.stringify(regex));
      assert.equal(regex.test(text), expected);
    });
  }

  it('regular expressions people write without counted repetition are never refused for their size [D299]', () => {
    const pieces = [
      'a',
      'a|',
      '.*',
      '(a*)*',
      '\\pL',
      '\\PL',
      '[\\pL\\pN]',
      '\\b',
      '()',
      'a?',
      '[a-zа-я]',
      '[^\\x00-\\x7f]',
      '[B-\\x{1E942}]',
      '[^一-鿿]',
      '[\\pL\\x{250}-\\x{FFFF}]',
    ];
    for (const piece of pieces) {
      const regex = compileRegex(fill(piece));
      assert.ok(regex.ok, `${piece}: ${JSON.stringify(regex)}`);
    }
  });

  it('regular expressions people write may have 512 characters and no more [D197]', () => {
    assert.ok(compileRegex('a'.repeat(512)).ok);
    assert.match(problemOf('a'.repeat(513)), /longer than 512/);
  });
});

const { pattern: anyPattern } = fc.letrec<{ pattern: string; atom: string; piece: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      'a',
      'é',
      '💡',
      '.',
      '\\d',
      '\\W',
      '\\b',
      '^',
      '$',
      '\\pL',
      '\\p{Greek}',
      '\\x{41}',
      '\\x41',
      '\\.',
      '\\Qab\\E',
    ),
    fc.constantFrom(
      '[a-z]',
      '[^a]',
      '[]a]',
      '[^]a]',
      '[[:alpha:]_]',
      '[\\]x]',
      '[a\\-z]',
      '[\\pN\\d]',
      '[а-я]',
      '{',
      '{x}',
      '(?i)',
      '(?s-i)',
      '\\Q\\E',
      '\\E',
    ),
    tie('pattern').map((inner) => `(${inner})`),
    tie('pattern').map((inner) => `(?:${inner})`),
    tie('pattern').map((inner) => `(?P<n>${inner})`),
  ),
  piece: fc
    .tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '*?', '{3}', '{0,4}', '{2,}', '{0}', '{5}?', '{12}'))
    .map(([atom, quantifier]) => atom + quantifier),
  pattern: fc
    .array(
      fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
      { minLength: 1, maxLength: 3 },
    )
    .map((alternatives) => alternatives.join('|')),
}));

function isRe2(pattern: string): boolean {
  try {
    return RE2JS.compile(pattern).pattern() === pattern;
  } catch (error) {
    if (error instanceof RE2JSException) return false;
    throw error;
  }
}

describe('the cost of a pattern', () => {
  it('the cost of a pattern is never less than the program it compiles to', () => {
    fc.assert(
      fc.property(anyPattern, (pattern) => {
        fc.pre(regexSize(pattern) < 20_000 && isRe2(pattern));
        const size = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE).programSize();
        assert.ok(size <= regexSize(pattern) + 3, `${pattern}: ${size} > ${regexSize(pattern)}`);
      }),
      { numRuns: 600 },
    );
  });

  it('the cost of a pattern is no less than what it takes to compile it, which grows with Unicode classes', () => {
    assert.equal(regexCosts('abc').effort, 3);
    assert.equal(regexCosts('\\pL').effort, 70);
    // Read once, however often it is repeated.
    assert.equal(regexCosts('\\pL{3}').effort, 3 * 10 + 2 + 60);
  });

  it('the cost of a pattern is multiplied by counted repetition only', () => {
    for (const pattern of ['a*', 'a+?', '(a|b)*', '\\Qa{3}\\E', '[a{3}]', 'a{,3}', '\\x{3}', '\\p{L}']) {
      assert.equal(hasCountedRepetition(pattern), false, pattern);
    }
    for (const pattern of ['a{2}', '(a|b){3,}', 'x*a{0,4}?', 'a{0}']) {
      assert.equal(hasCountedRepetition(pattern), true, pattern);
    }
  });

  // A copy of what is repeated for each time, a branch for each time that may be left out, and two for the loop.
  for (const [largest, tooLarge] of [
    ['a{998}', 'a{999}'],
    ['a{998,}', 'a{999,}'],
    ['a{0,499}', 'a{0,500}'],
    ['a{100,549}', 'a{100,550}'],
    ['(?:ab){0,166}', '(?:ab){0,167}'],
    ['(?:a{993}){0}', '(?:a{994}){0}'],
  ] as const) {
    it(`the cost of a pattern lets counted repetition go up to ${largest}, and refuses ${tooLarge}`, () => {
      assert.ok(compileRegex(largest).ok, String(regexSize(largest)));
      assert.match(problemOf(tooLarge), /too large/);
    });
  }

  it('the cost of a pattern never throws, and neither does the compiler', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 60 }),
          fc.stringMatching(/^[ab()[\]{}|*+?^$.\\0-9,:pPxQE<>-]{0,40}$/),
        ),
        (pattern) => {
          const regex = compileRegex(pattern);
          if (regex.ok) assert.equal(typeof regex.test('jane@example.com'), 'boolean');
          else assert.ok(regex.problem.length > 0);
        },
      ),
      { numRuns: 600 },
    );
  });
});
