import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { readKeyLines } from './key-lines.ts';

async function* lines(text: string) {
  yield* text.split('\n');
}

it('keys are parsed one per line, without blank lines, comments and surrounding white space', async () => {
  const { keys, problems } = await readKeyLines(lines('# ours\n\n k9Xw2-first-0001 \r\n#\nk9Xw2-second-002==\n'));
  assert.deepEqual(problems, []);
  assert.deepEqual(keys, [
    { line: 3, key: 'k9Xw2-first-0001' },
    { line: 5, key: 'k9Xw2-second-002==' },
  ]);
});

const refused: readonly [about: string, line: string, says: RegExp][] = [
  ['an assignment', 'API_KEY=k9Xw2qqq7Zt0aB3c', /NAME=/],
  ['double quotes', '"k9Xw2qqq7Zt0aB3c"', /quotes/],
  ['single quotes', "'k9Xw2qqq7Zt0aB3c'", /quotes/],
  ['a blank inside', 'Bearer k9Xw2qqq7Zt0aB3c', /no blanks/],
  ['too few characters', 'k9Xw2', /16 to 128/],
  ['our own prefix', 'sp_prd_k9Xw2qqq7Zt0aB3c', /sp_/],
  ['a JSON object', '{"key":"k9Xw2qqq7Zt0aB3c"}', /JSON/],
  ['a JSON array', '["k9Xw2qqq7Zt0aB3c"]', /JSON/],
  ['the start of a JSON document', '{"keys":["k9Xw2qqq7Zt0aB3c",', /JSON/],
  ['a comma at the end', 'k9Xw2qqq7Zt0aB3c,', /no comma/],
  ['a semicolon', 'k9Xw2qqq;7Zt0aB3c', /no semicolon/],
  ['an assignment to a name with a hyphen', 'api-key=k9Xw2qqq7Zt0aB3c', /= only at its end/],
];
for (const [about, line, says] of refused) {
  it(`a line with ${about} is rejected with its line number, and the reason does not contain its text [D268]`, async () => {
    const { problems } = await readKeyLines(lines(`k9Xw2qqq7Zt0aB3c\n${line}\n`));
    assert.deepEqual(
      problems.map((problem) => problem.line),
      [2],
    );
    assert.match(problems[0]?.reason ?? '', says);
    assert.doesNotMatch(problems[0]?.reason ?? '', /k9Xw2|xxxx/);
  });
}

it('keys that look easy to guess are read with a warning that has the line number', async () => {
  const { keys, problems, warnings } = await readKeyLines(
    lines(`k9Xw2qqq7Zt0aB3c\n${'x'.repeat(20)}\nsupersecretpassword\n`),
  );
  assert.deepEqual([keys.map(({ line }) => line), problems], [[1, 2, 3], []]);
  assert.deepEqual(warnings, [
    { line: 2, reason: 'it has too few different characters' },
    { line: 3, reason: 'it looks like words' },
  ]);
});

it('every random key in base62 is read', async () => {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const text = fc.sample(fc.string({ unit: fc.constantFrom(...alphabet), minLength: 16, maxLength: 40 }), 500);
  const generated = text.filter((key) => !key.startsWith('sp_'));
  const { keys, problems } = await readKeyLines(lines(generated.join('\n')));
  assert.deepEqual([keys.length, problems], [generated.length, []]);
});
