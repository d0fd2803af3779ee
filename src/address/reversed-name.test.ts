import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reversedName } from './reversed-name.ts';

describe('a name from its end', () => {
  for (const [name, reversed] of [
    ['mail.example.com', 'com.example.mail'],
    ['example.com', 'com.example'],
    ['com', 'com'],
    ['a.b.c.d', 'd.c.b.a'],
    ['', ''],
    ['.x', 'x.'],
    ['x.', '.x'],
  ] as const) {
    it(`the name "${name}" is "${reversed}" from its end, and the other way round`, () => {
      assert.equal(reversedName(name), reversed);
      assert.equal(reversedName(reversed), name);
    });
  }
});
