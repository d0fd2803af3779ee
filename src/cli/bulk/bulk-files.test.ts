import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { temporaryDirectory } from '../../../test/engines.ts';
import { runInProcess } from '../../../test/run-in-process.ts';

const folder = temporaryDirectory();
let files = 0;
let url = '';
// A server is faster to ask than an engine is to open, once per file.
const server = createServer((request, response) => {
  const [, kind, value = ''] = (request.url ?? '').split('/');
  const disposable = decodeURIComponent(value).endsWith('mailinator.com');
  response.end(JSON.stringify({ disposable, did_you_mean: kind === 'email' ? 'имя@почта.рф' : null }));
});

before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

after(() => server.close());

/** Runs `bulk` over a file with this content; `--columns disposable` unless told otherwise. */
async function bulk(content: string | Uint8Array, ...words: readonly string[]) {
  files += 1;
  const [input, out] = [join(folder, `${files}.csv`), join(folder, `${files}.out`)];
  writeFileSync(input, content);
  const order = ['bulk', input, '--columns', 'disposable', '--out', out, '--url', url, ...words];
  const result = await runInProcess(order, { SIGNALPOST_KEY: 'key' });
  const output = result.code === 0 ? readFileSync(out) : Buffer.alloc(0);
  return { ...result, output, first: result.stderr.split('\n')[0] ?? '', input };
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const utf8 = (text: string): Buffer => Buffer.from(text);

describe('bulk detects how a file is written, reports it and keeps its bytes', () => {
  const given = 'Näme;E-mail\r\n"Doe; ""J""";joe@mailinator.com\r\nX;no-address\r\n';
  const added = 'Näme;E-mail;valid;disposable\r\n"Doe; ""J""";joe@mailinator.com;true;true\r\nX;no-address;false;\r\n';
  const encodings = [
    ['UTF-8', utf8, ''],
    ['UTF-8 with a byte order mark', utf8, '\ufeff'],
    ['Windows-1252', latin1, ''],
    ['UTF-16LE', utf16, ''],
    ['UTF-16LE with a byte order mark', utf16, '\ufeff'],
    ['UTF-16BE', utf16be, ''],
    ['UTF-16BE with a byte order mark', utf16be, '\ufeff'],
  ] as const;
  for (const [name, encode, mark] of encodings) {
    test(name, async () => {
      const { output, first, stderr, input } = await bulk(encode(mark + given));
      assert.deepEqual(output, encode(mark + added), stderr);
      const expected = `CSV, ${name}, separator semicolon, with a heading, values in column 2 "E-mail"`;
      assert.equal(first, `${input}: ${expected}`);
    });
  }

  const files: readonly (readonly [name: string, given: string, added: string])[] = [
    [
      'tabs',
      'name\temail\nA, B\tjoe@mailinator.com\n',
      'name\temail\tvalid\tdisposable\nA, B\tjoe@mailinator.com\ttrue\ttrue\n',
    ],
    [
      'a separator that the first line declares',
      'sep=;\nemail;n\na@b.com;1,5\n',
      'sep=;\nemail;n;valid;disposable\na@b.com;1,5;true;false\n',
    ],
    ['old Macintosh line ends', 'email,n\ra@b.com,1\r', 'email,n,valid,disposable\ra@b.com,1,true,false\r'],
    [
      'mixed line ends, blank lines and no final line end',
      'email,n\r\n\na@b.com,1\nc@d.com,2',
      'email,n,valid,disposable\r\n\na@b.com,1,true,false\nc@d.com,2,true,false\r\n',
    ],
    [
      'quotes inside cells that are not quoted',
      'n,email\n5" disk,a@b.com\n',
      'n,email,valid,disposable\n5" disk,a@b.com,true,false\n',
    ],
    ['rows without their last cells', 'email,n,m\na@b.com\n', 'email,n,m,valid,disposable\na@b.com,,,true,false\n'],
    [
      'one column without a heading',
      'a@b.com\njoe@mailinator.com\n',
      'a@b.com,true,false\njoe@mailinator.com,true,true\n',
    ],
    [
      'several columns without a heading',
      '1;a@b.com\n2;joe@mailinator.com\n',
      '1;a@b.com;true;false\n2;joe@mailinator.com;true;true\n',
    ],
    ['no records', '', ''],
  ];
  for (const [name, given, added] of files) {
    test(name, async () => {
      const { output, stderr } = await bulk(given);
      assert.equal(output.toString(), added, stderr);
    });
  }

  test('reports the rows that had fewer cells', async () => {
    assert.match((await bulk('email,n\na@b.com\n')).stderr, /1 rows had fewer cells than the first one/);
  });
});

describe('bulk finds the column of addresses', () => {
  const headings =
    'E-mail,EMAIL ADDRESS,correo,Correo electrónico,E-Mail-Adresse,Adresse e-mail,メールアドレス,Электронная почта,e_mail';
  for (const heading of headings.split(',')) {
    test(`by the heading "${heading}"`, async () => {
      const { output, stderr } = await bulk(`id,${heading},site\n1,joe@mailinator.com,b.com\n`);
      assert.match(output.toString(), /,joe@mailinator\.com,b\.com,true,true\n$/, stderr);
    });
  }

  test('by its values when the heading is unknown', async () => {
    const { output, first } = await bulk('id,who\n1,joe@mailinator.com\n2,\n');
    assert.equal(output.toString(), 'id,who,valid,disposable\n1,joe@mailinator.com,true,true\n2,,false,\n');
    assert.match(first, /values in column 2 "who"$/);
  });

  test('by --column with a name or a number, --separator and --encoding', async () => {
    assert.match(
      (await bulk('email,other\nx,joe@mailinator.com\n', '--column', 'Other')).output.toString(),
      /true,true/,
    );
    assert.match(
      (await bulk('x;joe@mailinator.com\n', '--column', '2')).output.toString(),
      /^x;joe@mailinator\.com;true;true/,
    );
    assert.match((await bulk('a|email\nx|joe@mailinator.com\n', '--separator', '|')).output.toString(), /\|true\|true/);
    const { output, first } = await bulk(latin1('email,é\na@b.com,é\n'), '--encoding', 'latin1');
    assert.deepEqual(output, latin1('email,é,valid,disposable\na@b.com,é,true,false\n'));
    assert.match(first, /Windows-1252/);
  });
});

describe('bulk refuses with line and column', () => {
  const refused: readonly (readonly [name: string, content: string | Buffer, message: RegExp, ...words: string[]])[] = [
    [
      'a quote that is never closed',
      'n,email\nx,a@b.com\n"y,c@d.com\n',
      /line 3, column 1: the quote that opens here is never closed/,
    ],
    [
      'a quote that a later one closes',
      'n,email\nx,"a@b.com\n"y",c@d.com\n',
      /line 2, column 3: .* closing quote on line 3/,
    ],
    [
      'a row with more cells than the heading',
      'n,email\nx,a@b.com,z\n',
      /line 2, column 11: this row has 3 cells, the first row has 2/,
    ],
    ['a row without the cell of the address', 'n,email\nx\n', /line 2, column 1: this row has 1 cells/],
    [
      'a long row after a cell with a line break',
      'n,email\n"x\ny",a@b.com,z\n',
      /line 3, column 12: this row has 3 cells/,
    ],
    ['no column of addresses', 'a,b\n1,2\n', /line 1, column 1: no column of addresses found among a, b/],
    ['two columns of addresses', 'E-mail,Email address\na@b.com,c@d.com\n', /several columns could hold the values/],
    [
      'an address that is not in the encoding',
      latin1(`email\n${'a@b.com\n'.repeat(9_000)}é@b.com\n`),
      /line 9002, column 1: this cell is not UTF-8; give --encoding/,
    ],
    ['a file of domains without --domains', 'domain,n\nb.com,1\n', /--domains for a file of domains/],
    ['one column of domains without --domains', 'b.com\nc.com\n', /--domains for a file of domains/],
    [
      'a signal that the encoding cannot hold',
      latin1('email,é\na@b.com,é\n'),
      /line 2, column 1: Windows-1252 has no characters for/,
      '--columns',
      'did_you_mean',
    ],
    ['zero bytes', 'email\n\0\0\0', /not text/],
    [
      'half a character',
      Buffer.concat([utf16('email\na@b.com\n'), latin1('x')]),
      /ends in the middle of a UTF-16LE character/,
    ],
    ['an unknown encoding', 'email\n', /--encoding is utf-8, utf-16le/, '--encoding', 'ebcdic'],
    ['a separator of two characters', 'email\n', /--separator is one ASCII character/, '--separator', ',,'],
    [
      'NDJSON that is not an object',
      '{"email":"a@b.com"}\n[]\n',
      /line 2, column 1: this line is not a JSON object/,
      '--format',
      'ndjson',
    ],
  ];
  for (const [name, content, message, ...words] of refused) {
    test(name, async () => {
      const { code, stderr } = await bulk(content, ...words);
      assert.notEqual(code, 0);
      assert.match(stderr, message);
    });
  }
});

describe('bulk with --domains', () => {
  test('looks domains up, and addresses among them', async () => {
    const { output, stderr } = await bulk('n,Domain\n1,mailinator.com\n2,joe@mailinator.com\n3,b..c\n', '--domains');
    const rows =
      'n,Domain,valid,disposable\n1,mailinator.com,true,true\n2,joe@mailinator.com,true,true\n3,b..c,false,\n';
    assert.equal(output.toString(), rows, stderr);
  });

  test('prefers the column of domains in a file with both', async () => {
    const { output } = await bulk('email,domain\na@b.com,mailinator.com\n', '--domains');
    assert.equal(output.toString(), 'email,domain,valid,disposable\na@b.com,mailinator.com,true,true\n');
  });
});

test('bulk --json without --out prints one JSON document', async () => {
  const words = ['bulk', '-', '--columns', 'disposable', '--json', '--url', url];
  const { stdout } = await runInProcess(words, { SIGNALPOST_KEY: 'key' }, 'n;email\n1;joe@mailinator.com\n\n2;x\n');
  assert.deepEqual(JSON.parse(stdout), {
    detected: 'CSV, UTF-8, separator semicolon, with a heading, values in column 2 "email"',
    rows: [
      { line: 2, value: 'joe@mailinator.com', valid: true, signals: { disposable: true } },
      { line: 4, value: 'x', valid: false, signals: null },
    ],
    records: 2,
  });
});

test('bulk --json with --out prints the totals', async () => {
  const { stdout } = await bulk('email\na@b.com\n', '--json');
  const { out, ...rest } = JSON.parse(stdout);
  const detected = 'CSV, UTF-8, with a heading, values in column 1 "email"';
  assert.deepEqual(rest, { records: 1, detected, resumed_from: null, short_rows: 0 });
  assert.match(out, /\.out$/);
});

test('bulk adds signals to NDJSON without changing what is there', async () => {
  const given = '{ "id": 12345678901234567890, "email" : "joe@mailinator.com" }\r\n{}\n';
  const { output } = await bulk(given, '--format', 'ndjson');
  const signals = '"signals":{"disposable":true}';
  assert.equal(
    output.toString(),
    `{ "id": 12345678901234567890, "email" : "joe@mailinator.com" ,${signals}}\r\n{"signals":null}\n`,
  );
});

test('bulk keeps every cell of a file byte for byte, whatever the cells hold', async () => {
  const cell = fc.oneof(
    fc.string().map((text) => `"${text.replaceAll('"', '""')}"`),
    fc.constantFrom('', 'x', '5" disk', ' y ', "'", 'é', '\u{1f600}'),
  );
  const row = fc.tuple(cell, cell, fc.constantFrom('\n', '\r\n'));
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(utf8, utf16),
      async (rows, encode) => {
        const lines = rows.map(([a, b, end]) => [`${a};a@b.com;${b}`, end] as const);
        const { output, stderr } = await bulk(
          encode(['a;email;b\n', ...lines.flat()].join('')),
          '--separator',
          ';',
          '--encoding',
          encode === utf8 ? 'utf-8' : 'utf-16le',
        );
        const expected = [
          'a;email;b;valid;disposable\n',
          ...lines.flatMap(([text, end]) => [`${text};true;false`, end]),
        ].join('');
        assert.deepEqual(output, encode(expected), stderr);
      },
    ),
    { numRuns: 15 },
  );
});
