import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { schema } from '../../input/schema.ts';
import {
  dataOf,
  field,
  listOf,
  nested,
  nestedOrNull,
  optional,
  same,
  time,
  timeOrNull,
  wireOf,
} from './wire-fields.ts';

interface Item {
  readonly id: string;
  readonly note?: string;
}

interface Source extends Item {
  readonly createdAtMs: number;
  readonly usedAtMs: number | null;
  readonly first: Item | null;
  readonly all: readonly Item[];
}

const item = wireOf<Item>({ ...same<Item>({ id: schema.string() }) });
const noted = wireOf<Item>({
  ...same<Item>({ id: schema.string() }),
  note: optional(field(schema.string(), ({ note }) => note)),
});
const whole = wireOf<Source>({
  created_at: time(({ createdAtMs }) => createdAtMs),
  ...same<Source>({ id: schema.string() }),
  used_at: timeOrNull(({ usedAtMs }) => usedAtMs, { description: 'The last use' }),
  'inside.first': nestedOrNull(item, ({ first }) => first),
  'inside.all': nested(listOf(noted), ({ all }) => all),
});
const source: Source = {
  id: 'a',
  createdAtMs: 0,
  usedAtMs: null,
  first: null,
  all: [{ id: 'b', note: 'n' }, { id: 'c' }],
};

describe('the fields of a described object', () => {
  it('have their names and order in the body, the text and the schema', () => {
    const expected = {
      created_at: '1970-01-01T00:00:00+00:00',
      id: 'a',
      used_at: null,
      inside: { first: null, all: [{ id: 'b', note: 'n' }, { id: 'c' }] },
    };
    assert.deepEqual(whole.body(source), expected);
    assert.equal(whole.text(source), JSON.stringify(expected));
    assert.deepEqual(Object.keys(Object(whole.schema.properties)), Object.keys(expected));
  });

  it('are required unless they are optional', () => {
    assert.deepEqual(noted.schema.required, ['id']);
    assert.equal(noted.text({ id: 'c' }), '{"id":"c"}');
  });

  it('write a nested object or null, and describe both', () => {
    const first = { ...source, first: { id: 'f', secret: 'never written' } };
    assert.deepEqual(Object(whole.body(first).inside).first, { id: 'f' });
    const { properties } = Object(whole.schema.properties).inside as { properties: Record<string, object> };
    assert.deepEqual(properties.first, schema.nullable(item.schema));
  });

  it('leave out properties that they do not name', () => {
    assert.equal(dataOf(item).text({ id: 'a', note: 'n' }), '{"data":{"id":"a"}}');
  });
});
