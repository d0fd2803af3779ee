import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Candidate, checkPackageCounts, checkSource } from './check-source.ts';

const names = Array.from({ length: 100 }, (_, index) => `name${index}.com`);
const good: Candidate = {
  name: 'fakefilter',
  text: names.join('\n'),
  names,
  rejected: 0,
  previousCount: 110,
  neverFlag: new Set(['gmail.com']),
};

describe('an edition of a source', () => {
  it('an edition of a source is used when it is valid', () => assert.equal(checkSource(good), null));

  const refused: readonly (readonly [string, Partial<Candidate>, RegExp])[] = [
    ['empty', { text: '', names: [] }, /empty/],
    ['an error page', { text: '\n<!DOCTYPE html><html>…' }, /web page/],
    ['another kind of page', { text: '<html><body>404' }, /web page/],
    ['garbage', { rejected: 101 }, /not domain names/],
    ['half the size of the last', { previousCount: 201 }, /shrank from 201 names to 100/],
    ['far too large', { names: Array.from({ length: 50_001 }, (_, index) => `${index}.com`) }, /more than 50000/],
    ['poisoned', { names: [...names, 'gmail.com'] }, /lists gmail\.com/],
  ];
  for (const [what, change, reason] of refused) {
    it(`an edition of a source is refused when it is ${what}`, () =>
      assert.match(checkSource({ ...good, ...change }) ?? '', reason));
  }

  it('an edition of a source may name anything where names are not flagged', () => {
    assert.equal(checkSource({ ...good, name: 'freemail', names: [...names, 'gmail.com'] }), null);
  });
});

describe('the counts of the packages', () => {
  const list = { version: '1', licence: 'MIT', date: null, rejected: 0, providers: new Map() };

  it('the counts of the packages are reported when outside their bounds', () => {
    assert.deepEqual(checkPackageCounts([{ ...list, name: 'fakefilter', names }]), [
      'fakefilter has 100 names, expected 2000 to 50000',
    ]);
    assert.deepEqual(checkPackageCounts([{ ...list, name: 'unheard-of', names }]), [
      'unheard-of is not a known source',
    ]);
  });
});
