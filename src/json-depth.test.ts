import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isJsonDepthWithin, parseBoundedJson } from './json-depth.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('isJsonDepthWithin', () => {
  it('measures the depth of the value, whatever its strings contain', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }), (value) => {
        const text = Buffer.from(JSON.stringify(value));
        const depth = depthOf(JSON.parse(text.toString()));
        assert.equal(isJsonDepthWithin(text, depth), true);
        if (depth > 0) assert.equal(isJsonDepthWithin(text, depth - 1), false);
      }),
    );
  });

  it('parseBoundedJson rejects deep nesting before the parser runs', () => {
    const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth));
    assert.notEqual(parseBoundedJson(nested(64)), undefined);
    assert.equal(parseBoundedJson(nested(65)), undefined);
    assert.equal(parseBoundedJson(nested(200_000)), undefined);
    assert.equal(parseBoundedJson(Buffer.from('{"a":'.repeat(200_000))), undefined);
  });

  it('ignores brackets, quotes and backslashes inside strings', () => {
    assert.equal(isJsonDepthWithin(Buffer.from('["[[[\\"[[[\\\\"]'), 1), true);
    assert.equal(isJsonDepthWithin(Buffer.from('["\\\\",["]"]]'), 1), false);
  });

  it('parseBoundedJson never throws, whatever the bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void parseBoundedJson(bytes)));
    assert.equal(parseBoundedJson(Buffer.from([0x22, 0xff, 0x22])), undefined);
  });
});
