import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { buildTable, entryName, findEntry, hashSeed, hashStep, type ListEntry, type ListTable } from './list-table.ts';

const label = fc.stringMatching(/^[a-z0-9]{1,8}$/);
const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));

function entries(names: Iterable<string>): ListEntry[] {
  return Array.from(names, (each, index) => ({
    name: each,
    flags: index + 1,
    sources: index * 2,
    provider: index % 9,
  }));
}

function hashFrom(text: string, start: number): number {
  let hash = hashSeed;
  for (let i = text.length - 1; i >= start; i -= 1) hash = hashStep(hash, text.charCodeAt(i));
  return hash;
}

describe('a list table', () => {
  it('a list table finds exactly the names that were put in', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 200 }), fc.array(name, { maxLength: 50 }), (inside, asked) => {
        const table = buildTable(entries(inside));
        for (const each of [...inside, ...asked]) {
          const found = findEntry(table, each, 0, hashFrom(each, 0));
          assert.equal(found >= 0, inside.includes(each), each);
          if (found >= 0) assert.equal(entryName(table, found), each);
        }
      }),
    );
  });

  it('a list table finds the end of a longer name without cutting it', () => {
    const table = buildTable(entries(['example.com', 'com']));
    const asked = 'a.b.example.com';
    assert.equal(entryName(table, findEntry(table, asked, 4, hashFrom(asked, 4))), 'example.com');
    assert.equal(findEntry(table, asked, 2, hashFrom(asked, 2)), -1);
  });

  it('a list table distinguishes names with equal hashes', () => {
    const table = buildTable(entries(['example.com', 'example.net']));
    const foreign = hashFrom('example.com', 0);
    assert.equal(findEntry(table, 'example.org', 0, foreign), -1);
  });

  it('a list table does not depend on the order of the entries', () => {
    const one = entries(['b.com', 'a.com', 'c.com']);
    assert.deepEqual(buildTable(one), buildTable(one.toReversed()));
  });

  it('a list table returns the entries it was built from', () => {
    const one = entries(['a.com', 'b.com', 'c.com']);
    assert.deepEqual([...tableEntries(buildTable(one))], one);
  });
});

/** Every entry of a table, in its order. */
function* tableEntries(table: ListTable): Generator<ListEntry> {
  for (let entry = 0; entry < table.flags.length; entry += 1) {
    yield {
      name: entryName(table, entry),
      flags: table.flags[entry] as number,
      sources: table.sources[entry] as number,
      provider: table.providers[entry] as number,
    };
  }
}
