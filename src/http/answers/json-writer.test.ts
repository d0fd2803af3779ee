import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { schema } from '../../input/schema.ts';
import { jsonWriter } from './json-writer.ts';

const person = schema.object({ name: schema.string(), age: schema.optional(schema.nullable(schema.integer())) });

describe('the writer of answers', () => {
  it('the writer of answers leaves out what the schema does not name, at every depth', () => {
    const write = jsonWriter(schema.object({ data: schema.array(person), owner: person }));
    const secret = { name: 'Jane', age: null, hash: 'secret' };
    assert.equal(
      write({ owner: secret, data: [secret], key: 'secret' }),
      '{"data":[{"name":"Jane","age":null}],"owner":{"name":"Jane","age":null}}',
    );
  });

  it('the writer of answers leaves out a property that may be missing and is', () => {
    assert.equal(jsonWriter(person)({ name: 'Jane' }), '{"name":"Jane"}');
  });

  it('the writer of answers writes null in the place of an object or a list', () => {
    const write = jsonWriter(
      schema.object({ owner: { ...person, type: ['object', 'null'] }, list: schema.array(person) }),
    );
    assert.equal(write({ owner: null, list: null }), '{"owner":null,"list":null}');
  });

  it('the writer of answers keeps every name of an object whose names are not fixed', () => {
    const errors = { type: 'object', additionalProperties: schema.array(schema.string()) };
    assert.equal(jsonWriter(errors)({ any: ['name'] }), '{"any":["name"]}');
    assert.equal(jsonWriter({ type: 'object' })({ any: 1 }), '{"any":1}');
  });
});
