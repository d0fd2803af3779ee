import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { openRanks, type Ranks } from './ranks.ts';
import { compileRanks, readRanking } from './ranks-compile.ts';
import { buildRanks, decodeRanks, encodeRanks, findRank } from './ranks-file.ts';

const nowMs = Date.parse('2026-03-04T05:06:07Z');
const now = () => nowMs;
const ranking = Array.from({ length: 1_500 }, (_, index) => `${index + 1},site${index + 1}.example.com\n`).join('');
const silent = { info() {}, warn() {} };

/** An archive as `zip` streams it: the sizes follow the data. */
function zipOf(name: string, content: Buffer, method: 0 | 8): Buffer {
  const packed = method === 8 ? deflateRawSync(content) : content;
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(method === 8 ? 8 : 0, 6);
  header.writeUInt16LE(method, 8);
  if (method === 0) header.writeUInt32LE(content.length, 18);
  header.writeUInt16LE(name.length, 26);
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(crc32(content), 4);
  return Buffer.concat([header, Buffer.from(name), packed, descriptor]);
}

describe('a ranking', () => {
  let folder: string;
  let file: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'ranks-'));
    file = join(folder, 'ranks.bin');
  });
  after(() => rmSync(folder, { recursive: true }));

  const compile = (bytes: Buffer) => compileRanks({ bytes, source: 'a test', file, now });
  const packings: readonly (readonly [string, Buffer])[] = [
    ['plain', Buffer.from(ranking)],
    ['with Windows line ends', Buffer.from(ranking.replaceAll('\n', '\r\n'))],
    ['with tabs and a heading', Buffer.from(`rank\tdomain\n${ranking.replaceAll(',', '\t')}`)],
    ['gzipped', gzipSync(ranking)],
    ['zipped', zipOf('top-1m.csv', Buffer.from(ranking), 8)],
    ['stored in a zip archive', zipOf('top-1m.csv', Buffer.from(ranking), 0)],
  ];
  for (const [how, bytes] of packings) {
    it(`a ranking is read ${how}`, () => {
      assert.deepEqual(compile(bytes), {
        builtAt: '2026-03-04T05:06:07.000Z',
        source: 'a test',
        count: 1_500,
        wrongLines: 0,
      });
      const table = decodeRanks(readFileSync(file));
      assert.equal(findRank(table, 'site1.example.com'), 1);
      assert.equal(findRank(table, 'site1500.example.com'), 1_500);
      assert.equal(findRank(table, 'site1501.example.com'), null);
    });
  }

  it('a ranking is read when an earlier release wrote it, whose header has no lengths', () => {
    const table = buildRanks([['a.com', 7]], { builtAt: '2026-01-03T00:00:00.000Z', source: 'a test' });
    const json = JSON.stringify(table.header);
    const header = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4));
    const words = Buffer.from(Uint32Array.of(table.high[0] ?? 0, table.low[0] ?? 0, table.ranks[0] ?? 0).buffer);
    const rest = Buffer.concat([header, words]);
    const numbers = Uint32Array.of(1, 0x01020304, 32 + rest.length, header.length, crc32(rest), 0);
    const old = Buffer.concat([Buffer.from('SPRANKS\n'), Buffer.from(numbers.buffer), rest]);
    assert.deepEqual(decodeRanks(old), table);
  });

  it('a ranking takes no more than twelve bytes a name and a short header', () => {
    compile(Buffer.from(ranking));
    assert.ok(readFileSync(file).length <= 1_500 * 12 + 200);
  });

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['short', '1,a.com\n2,b.com\n', /2 rows, fewer than 1000/],
    ['an error page', `<!doctype html>${'<p>Sign in</p>\n'.repeat(2_000)}`, /0 rows/],
    ['in no order', ranking + '7,late.com\n'.repeat(100), /100 of 1600 lines/],
    ['mostly names that are none', ranking + '9999,not a name\n'.repeat(20), /20 of 1520 lines/],
  ];
  for (const [what, text, reason] of refused) {
    it(`a ranking is refused when it is ${what}, and the last good file stays`, () => {
      compile(Buffer.from(ranking));
      const good = readFileSync(file);
      assert.throws(() => compile(Buffer.from(text)), reason);
      assert.deepEqual(readFileSync(file), good);
    });
  }

  it('a ranking may have a few wrong lines, which are counted', () => {
    assert.equal(compile(Buffer.from(`${ranking}1501,not a name\n`)).wrongLines, 1);
  });

  it('a ranking gives every name its own rank, whatever the names are', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.domain(), { minLength: 1 }), fc.domain(), (names, other) => {
        const rows = names.map((name, index): [string, number] => [name, index + 1]);
        const table = decodeRanks(encodeRanks(buildRanks(rows, { builtAt: 'then', source: 'here' })));
        for (const [name, rank] of rows) assert.equal(findRank(table, name), rank);
        if (!names.includes(other)) assert.equal(findRank(table, other), null);
      }),
    );
  });

  it('a ranking reads any bytes without failing', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => readRanking(Buffer.from(bytes)).rows.length >= 0));
  });
});

describe('open ranks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ranks-'));
  const file = join(folder, 'ranks.bin');
  const logged: string[] = [];
  const log = { ...silent, warn: (_: object, message: string) => logged.push(message) };
  let ranks: Ranks;
  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('open ranks know well-known domains without a ranking', () => {
    ranks = openRanks({ file, log });
    assert.equal(ranks.rank('google.com'), 1);
    assert.equal(ranks.rank('unheard-of.com'), null);
    assert.equal(ranks.status().source, null);
  });

  it('open ranks load a file that appears while they are open, and keep the seed for names it lacks', async () => {
    compileRanks({ bytes: Buffer.from(ranking), source: 'a test', file, now });
    ranks.poll();
    assert.equal(ranks.status().count, 1_500);
    assert.equal(ranks.rank('site7.example.com'), 7);
    assert.equal(ranks.rank('google.com'), 1);
    assert.equal(ranks.status().source, 'a test');
  });

  it('open ranks say which ranking has a name, and its date', () => {
    const when = { entry: 'site7.example.com', date: new Date(now()).toISOString() };
    assert.deepEqual(ranks.explain('site7.example.com'), [{ source: 'a test', detail: 'popularity rank 7', ...when }]);
    assert.deepEqual(
      ranks.explain('google.com').map(({ source, detail }) => `${source}: ${detail}`),
      ['a test: popularity rank: none', 'data/rank-seed.json: popularity rank about 1, our estimate'],
    );
    const dated = openRanks({ file: `${file}.dated`, log });
    assert.equal(dated.explain('unheard-of.com')[0]?.detail, 'no ranking is loaded');
    compileRanks({
      bytes: Buffer.from(ranking),
      source: 'x',
      date: '2026-01-02T00:00:00Z',
      file: `${file}.dated`,
      now,
    });
    const [evidence] = openRanks({ file: `${file}.dated`, log }).explain('unheard-of.com');
    assert.deepEqual([evidence?.detail, evidence?.date], ['popularity rank: none', '2026-01-02T00:00:00Z']);
  });

  it('open ranks keep the last good ranking when the file is damaged, and say so', async () => {
    const bytes = readFileSync(file);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(file, bytes);
    ranks.poll();
    assert.ok(logged.length > 0);
    assert.equal(ranks.rank('site7.example.com'), 7);
    assert.match(logged.join(), /unusable; the last good ranking stays in use/);
  });

  for (const [what, bytes] of [
    ['cut', (good: Buffer) => good.subarray(0, 100)],
    ['foreign', () => Buffer.from('something else')],
    ['empty', () => Buffer.alloc(0)],
  ] as const) {
    it(`open ranks start with the seed when the file is ${what}`, () => {
      compileRanks({ bytes: Buffer.from(ranking), source: 'a test', file, now });
      writeFileSync(file, bytes(readFileSync(file)));
      const opened = openRanks({ file, log });
      assert.equal(opened.rank('google.com'), 1);
      assert.equal(opened.status().count, 0);
    });
  }
});
