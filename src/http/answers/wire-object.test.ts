import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { schema } from '../../input/schema.ts';
import { wireObject } from './wire-object.ts';

interface Source {
  readonly id: string;
  readonly tags: readonly string[];
  readonly count: number | null;
}

const described = wireObject<Source>([
  { path: 'id', schema: schema.string(), value: ({ id }) => id },
  { path: 'inside.tags', schema: schema.array(schema.string()), value: ({ tags }) => tags },
  { path: 'inside.deep.count', schema: schema.nullable(schema.integer()), value: ({ count }) => count },
  { path: 'inside.fixed', schema: schema.boolean(), value: () => true, text: () => 'true' },
]);

describe('a described object', () => {
  it('writes the text that JSON.stringify writes of its body, whatever the values are', () => {
    const sources = fc.record({ id: fc.string(), tags: fc.array(fc.string()), count: fc.option(fc.integer()) });
    fc.assert(
      fc.property(sources, (source) => {
        const { id, tags, count } = source;
        assert.deepEqual(described.body(source), { id, inside: { tags, deep: { count }, fixed: true } });
        assert.equal(described.text(source), JSON.stringify(described.body(source)));
      }),
    );
  });

  it('has a schema with the same names in the same places', () => {
    const deep = schema.object({ count: schema.nullable(schema.integer()) });
    const inside = schema.object({ tags: schema.array(schema.string()), deep, fixed: schema.boolean() });
    assert.deepEqual(described.schema, schema.object({ id: schema.string(), inside }));
  });
});
