import { AppError } from '../../src/errors.ts';
import { same, wireOf } from '../../src/http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../../src/http/endpoint.ts';
import { object, optional } from '../../src/input/object.ts';
import { once, query } from '../../src/input/parameter.ts';
import { integer, text } from '../../src/input/scalar.ts';
import { schema } from '../../src/input/schema.ts';

interface Thing {
  readonly thing: string;
  readonly limit: number;
  readonly explain: string;
}

interface Coloured {
  readonly thing: string;
  readonly color: string;
}

const shared = { summary: 'Made up', family: 'gates', plan: 'any', credits: 0, errors: [] } as const;
const limit = once(integer('The limit', { minimum: 1 }), Number);

/** An endpoint for each kind of tool: read, write, metered, with and without a body, broken. */
export function testTools(): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/things/{thing}',
      operationId: 'readThing',
      tool: {
        name: 'read_thing',
        access: 'read',
        guide: 'For tests.',
        fixed: { explain: 'true' },
        concise: (response) => ({ thing: Object(response).thing }),
      },
      credits: 1,
      query: query({ limit: optional(limit), explain: optional(once(text('The explain'))) }),
      response: wireOf<Thing>(
        same<Thing>({ thing: schema.string(), limit: schema.integer(), explain: schema.string() }),
      ),
      handle({ params: { thing }, query: { limit: most = 0, explain = '' } }) {
        if (thing === 'missing') throw new AppError('not_found');
        if (thing === 'broken') throw new Error('a secret of storage');
        return { thing, limit: most, explain, secret: 'not in the schema' };
      },
    }),
    endpoint({
      ...shared,
      method: 'PUT',
      path: '/things/{thing}',
      operationId: 'saveThing',
      tool: { name: 'save_thing', access: 'write' },
      plan: 'pro',
      body: object({ color: text('The color') }),
      response: wireOf<Coloured>(same<Coloured>({ thing: schema.string(), color: schema.string() })),
      handle: ({ params: { thing }, body: { color } }) => ({ thing, color }),
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/things/{thing}',
      operationId: 'removeThing',
      tool: { name: 'remove_thing', access: 'write' },
      status: 204,
      handle({ params: { thing } }) {
        if (thing === 'used') throw new AppError('list_in_use', { rules: [{ gate_id: 'g', id: 'r', name: 'Rule' }] });
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/things/{thing}/undo',
      operationId: 'undoThing',
      tool: { name: 'undo_thing', access: 'write', destructive: true },
      status: 204,
      handle: () => undefined,
    }),
    endpoint({ ...shared, method: 'GET', path: '/hidden', operationId: 'hidden', handle: () => ({}) }),
  ];
}
