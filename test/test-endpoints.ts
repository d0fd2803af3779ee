import { AppError } from '../src/errors.ts';
import { field, wireOf } from '../src/http/answers/wire-fields.ts';
import { type Endpoint, endpoint } from '../src/http/endpoint.ts';
import { object } from '../src/input/object.ts';
import { schema } from '../src/input/schema.ts';

/** Runs between the reservation of credits and the response. */
export type Work = (name: string) => Promise<void>;

const text = wireOf<{ readonly value: string }>({ value: field(schema.string(), ({ value }) => value) });
const anything = { schema: schema.object({}, { additionalProperties: true }), text: JSON.stringify };
const anyObject = object({}, { unknownFields: 'ignored' });

/**
 * An endpoint per family and method, for tests of the checks before every endpoint. The path value determines the outcome:
 * `invalid` is bad input, `missing` is no object, `broken` throws, `away` finds storage unavailable.
 */
export function testEndpoints(work: Work = async () => {}): Endpoint[] {
  const common = { summary: 'Test endpoint', errors: [], response: text } as const;
  const judge = (name: string): string => {
    if (name === 'missing') throw new AppError('gate_not_found');
    return name;
  };
  const handle = async (_sent: object, _call: object, name: string): Promise<{ value: string }> => {
    await work(name);
    if (name === 'broken') throw new Error(`could not handle ${name}`);
    if (name === 'away') throw new AppError('service_unavailable');
    return { value: name };
  };
  const decision = {
    ...common,
    body: anyObject,
    method: 'POST',
    plan: 'pro',
    credits: 1,
    load: 'light',
    target: ({ params }: { params: { gate_id: string } }) => judge(params.gate_id),
    handle,
  } as const;
  return [
    endpoint({
      ...common,
      method: 'GET',
      path: '/domain/{domain}',
      operationId: 'testLookup',
      family: 'lookup',
      plan: 'any',
      anonymous: true,
      credits: 1,
      load: 'light',
      target({ params: { domain } }) {
        // An invalid percent sequence becomes a NUL, which no name contains.
        if (domain === 'invalid' || domain.includes('\0')) throw new AppError('invalid_domain');
        return judge(domain);
      },
      handle,
    }),
    endpoint({
      ...common,
      method: 'GET',
      path: '/blocklist/{domain}',
      operationId: 'testEntry',
      family: 'blocklist',
      plan: 'pro',
      credits: 0,
      target: ({ params }) => judge(params.domain),
      handle,
    }),
    endpoint({
      ...common,
      method: 'POST',
      path: '/blocklist',
      operationId: 'testAdd',
      body: anyObject,
      response: anything,
      status: 201,
      family: 'blocklist',
      plan: 'pro',
      credits: 0,
      handle: (_sent, { body }) => body,
    }),
    endpoint({ ...decision, path: '/v1/gates/{gate_id}/decisions', operationId: 'testDecision', family: 'gates' }),
    endpoint({
      ...decision,
      path: '/v0/gates/{gate_id}/decisions',
      operationId: 'testDecisionV0',
      family: 'gates-v0',
    }),
  ];
}
