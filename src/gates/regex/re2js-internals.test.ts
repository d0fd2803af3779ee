import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { RE2JS } from 're2js';
import { automatonBytesOf, boundAutomaton, instructionsOf } from './re2js-internals.ts';

const maxBytes = 20_000;

describe('re2js internals', () => {
  it('re2js internals are those of the version that the tests run on', () => {
    const { version } = JSON.parse(readFileSync('node_modules/re2js/package.json', 'utf8')) as { version: string };
    assert.equal(version, '2.10.0', 'check src/gates/regex/re2js-internals.ts');
  });

  it('the instructions of a pattern have its characters', () => {
    const instructions = instructionsOf(RE2JS.compile('[a-f]'));
    assert.ok(instructions?.some(({ runes }) => Array.from(runes ?? []).join() === '97,102'));
  });

  it('a bounded automaton is dropped when it outgrows its memory, and the pattern still matches', () => {
    const engine = RE2JS.compile('(a|b)*a(a|b){10}$');
    boundAutomaton(engine, maxBytes);
    assert.equal(automatonBytesOf(engine, maxBytes), 0);
    let state = 1;
    const next = (): number => {
      state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
      return state & 65_536;
    };
    const text = Array.from({ length: 4_000 }, () => (next() === 0 ? 'a' : 'b')).join('');
    assert.equal(engine.test(`${text}a${'b'.repeat(10)}`), true);
    assert.equal(engine.test('b'.repeat(11)), false);
    assert.equal((engine.re2() as unknown as { dfa: { failed: boolean } }).dfa.failed, true);
  });

  it('other parts than the known ones are not used', () => {
    const engine = { re2: () => ({ prog: {}, dfa: { memBudget: '1' } }) } as unknown as RE2JS;
    boundAutomaton(engine, maxBytes);
    assert.deepEqual([instructionsOf(engine), automatonBytesOf(engine, maxBytes)], [null, null]);
  });
});
