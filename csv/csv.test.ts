import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { csvCell, csvLine, readCell } from './csv-line.ts';
import { decodeText } from './decode-text.ts';
import { readRows, readTable } from './read-rows.ts';

const rowsOf = (text: string) => Array.from(readRows(text), ({ line, cells }) => [line, ...cells]);
const tableOf = (text: string) =>
  Array.from(readTable(text, 'value'), (row) => [row.line, row.cell('value'), row.cell('note')]);
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'\'"=+-@,;|\t\r\n ', '\u00a0', '\uff1d', 'a') }),
);

describe('csv', () => {
  test('reads back exactly the texts that it wrote', () => {
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 }), (rows) => {
        const heading = rows[0]?.map((_, index) => (index === 0 ? 'value' : `c${index}`)) ?? [];
        const written = [heading, ...rows].map((row) => csvLine(row.slice(0, heading.length))).join('');
        const read = Array.from(readTable(written, 'value'), (row) => heading.map((name) => row.cell(name)));
        const kept = rows.map((row) => heading.map((_, index) => row[index] ?? ''));
        // A row of empty cells is written as commas, and a row of blanks is quoted.
        assert.deepEqual(read, kept);
      }),
    );
  });

  test('a cell never begins with what a spreadsheet runs as a formula', () => {
    fc.assert(
      fc.property(text, (value) => {
        const cell = csvCell(value);
        const content = cell.startsWith('"') ? cell.slice(1, -1) : cell;
        assert.doesNotMatch(content, /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/);
        assert.equal(readCell(cell), value);
      }),
    );
    assert.equal(csvCell('=HYPERLINK("x")'), `"'=HYPERLINK(""x"")"`);
  });

  test('quotes every character that some program takes for a separator', () => {
    assert.deepEqual(
      [';', '\r', '\t', ',', '|', '\n'].map((character) => csvCell(`a${character}b`)),
      ['"a;b"', '"a\rb"', '"a\tb"', '"a,b"', '"a|b"', '"a\nb"'],
    );
    assert.deepEqual([csvCell(-1), csvCell(true), csvCell(null), csvCell([1, 'a'])], ['-1', 'true', '', '"[1,""a""]"']);
  });

  for (const separator of [',', ';', '\t', '|']) {
    test(`reads a table with the separator ${JSON.stringify(separator)}, quotes, and line breaks in cells`, () => {
      const lines = ['Note|VALUE|x', '"two\r\nlines, ""quoted"""|a|1', '', '|b|', ' n | c '];
      assert.deepEqual(tableOf(lines.join('\n').replaceAll('|', separator)), [
        [2, 'a', 'two\r\nlines, "quoted"'],
        [5, 'b', ''],
        [6, 'c', 'n'],
      ]);
    });
  }

  test('reads lines as they are when no heading names the column', () => {
    assert.deepEqual(tableOf('"a, b\n\n c;d \r\n=e\r'), [
      [1, '"a, b', ''],
      [3, 'c;d', ''],
      [4, '=e', ''],
    ]);
  });

  test('reads a separator that the first line declares', () => {
    assert.deepEqual(tableOf('sep=^\r\nvalue^note\r\na^b\r\n'), [[3, 'a', 'b']]);
    assert.deepEqual(rowsOf('sep=;\na,b;c\n'), [[2, 'a,b', 'c']]);
  });

  test('reads a cell that is longer than a piece of the scan', () => {
    const long = 'x,"\n'.repeat(100_000);
    assert.deepEqual(tableOf(csvLine(['value', 'note']) + csvLine(['a', long]) + csvLine(['b', 'n'])), [
      [2, 'a', long],
      [100_003, 'b', 'n'],
    ]);
  });

  test('rejects a row with more cells than the heading, and a quote without an end, with the line', () => {
    assert.throws(() => tableOf('value,note\na,b,\nc,d,e\n'), /^Error: line 3, column 1: this row has 3 cells/);
    assert.throws(() => tableOf('value,note\na,"b\n'), /line 2, column 3: the quote that opens here is never closed/);
    assert.throws(() => tableOf('value,note\na,"b"c\n'), /line 2, column 3: .*followed by text/);
  });

  const written = 'Näme;E-mail\n';
  const utf16 = Buffer.from(`\ufeff${written}`, 'utf16le');
  const files: readonly (readonly [string, Uint8Array])[] = [
    ['UTF-8', Buffer.from(written)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${written}`)],
    ['UTF-16LE', utf16.subarray(2)],
    ['UTF-16LE with a byte order mark', utf16],
    ['UTF-16BE with a byte order mark', Buffer.from(utf16).swap16()],
    ['Windows-1252', Buffer.from(written, 'latin1')],
  ];
  for (const [name, bytes] of files) test(`decodes ${name}`, () => assert.equal(decodeText(bytes), written));

  test('rejects bytes that are no text', () => {
    assert.throws(() => decodeText(Uint8Array.of(1, 0, 0, 0, 0, 7)), /not text/);
    assert.throws(() => decodeText(Uint8Array.of(0xff, 0xfe, 0, 0)), /UTF-32/);
  });
});
