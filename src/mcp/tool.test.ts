import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testTools } from '../../test/mcp/test-tools.ts';
import { endpoint } from '../http/endpoint.ts';
import { object } from '../input/object.ts';
import { text } from '../input/scalar.ts';
import { toolsOf } from './tool.ts';

const shared = {
  summary: 'Made up',
  family: 'gates',
  plan: 'any',
  credits: 0,
  errors: [],
  handle: () => ({}),
} as const;

describe('the tools of endpoints', () => {
  it('an endpoint is a tool when it says so, and only then', () => {
    const names = toolsOf(testTools()).map(({ name }) => name);
    assert.deepEqual(names, ['read_thing', 'save_thing', 'remove_thing', 'undo_thing']);
  });

  it('the input of a tool is path, query and body of its endpoint, without what is always sent the same', () => {
    const [read, save] = toolsOf(testTools());
    assert.deepEqual(read?.definition.inputSchema, {
      type: 'object',
      properties: {
        thing: { type: 'string' },
        limit: { type: 'integer', minimum: 1 },
        full: {
          type: 'boolean',
          description: 'True returns the whole response; by default only its most useful parts',
        },
      },
      required: ['thing'],
      additionalProperties: false,
    });
    assert.deepEqual(save?.definition.inputSchema.required, ['thing', 'color']);
  });

  it('the description of a tool has summary, guide and what it costs', () => {
    const [read, save] = toolsOf(testTools());
    assert.match(read?.definition.description ?? '', /^Made up\. For tests\. Costs credits/);
    assert.equal(save?.definition.description, 'Made up.');
  });

  it('the hints of a tool say what reads, what overwrites and what may be repeated', () => {
    const hints = toolsOf(testTools()).map(({ definition }) => definition.annotations);
    assert.deepEqual(hints, [
      { readOnlyHint: true },
      { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    ]);
  });

  it('a tool with a small response has its schema, unless the response is shortened', () => {
    const [read, save, remove] = toolsOf(testTools());
    assert.deepEqual(save?.definition.outputSchema?.required, ['thing', 'color']);
    assert.deepEqual([read?.definition.outputSchema, remove?.definition.outputSchema], [undefined, undefined]);
  });

  it('two tools of one name are a mistake of ours', () => {
    const tool = { name: 'same', access: 'read' } as const;
    const made = ['/a', '/b'].map((path) => endpoint({ ...shared, method: 'GET', path, operationId: path, tool }));
    assert.throws(() => toolsOf(made), /tools of the same name/);
  });

  it('an argument that would have two places is a mistake of ours', () => {
    const made = endpoint({
      ...shared,
      method: 'POST',
      path: '/{name}',
      operationId: 'twice',
      tool: { name: 'twice', access: 'write' },
      body: object({ name: text('The name') }),
    });
    assert.throws(() => toolsOf([made]), /two arguments of the tool twice/);
  });
});
