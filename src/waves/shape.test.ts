import assert from 'node:assert/strict';
import { it } from 'node:test';
import { shapeOf } from './shape.ts';

const shapes: readonly (readonly [string, string])[] = [
  ['abcd123', 'aaaa999'],
  ['jane.doe+1', 'aaaa.aaa+9'],
  ['9', '9'],
  ['jürgen٤', 'aaaaaa9'],
  ['a😀b', 'a😀a'],
];
for (const [localPart, shape] of shapes) {
  it(`the shape of ${localPart} is ${shape} [D424]`, () => assert.equal(shapeOf(localPart), shape));
}
