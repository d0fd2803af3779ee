import { dataOf, listOf } from '../http/answers/wire-fields.ts';
import { type Call, type Endpoint, endpoint } from '../http/endpoint.ts';
import { formatNames } from './formats/all.ts';
import { formatBody, hookBody, hookTestBody, hookWithSecretBody } from './hook-body.ts';
import { changedHook, createdHook, rotatedSecret, testedSignUp } from './hook-input.ts';
import { questionOf, type RunTest } from './hook-test.ts';
import type { Hooks, HookWithCalls } from './hooks.ts';

/** Properties shared by all hook endpoints. */
const managed = { family: 'gates', plan: 'pro', credits: 0 } as const;

export interface HookEndpointParts {
  readonly hooks: Hooks;
  /** The URL that an auth server calls. */
  readonly urlOf: (hookId: string, baseUrl: string) => string;
  readonly test: RunTest;
}

/** `/v1/hooks` and everything below. */
export function hooksEndpoints(parts: HookEndpointParts): Endpoint[] {
  return [
    formatsEndpoint,
    ...collectionEndpoints(parts),
    ...singleEndpoints(parts),
    ...secretEndpoints(parts),
    testEndpoint(parts),
  ];
}

/** `/hook-formats`, for the page that connects an auth server. */
const formatsEndpoint = endpoint({
  ...managed,
  access: 'session',
  method: 'GET',
  path: '/hook-formats',
  operationId: 'listHookFormats',
  summary: 'The auth servers that can call a hook',
  response: dataOf(listOf(formatBody)),
  errors: [],
  handle: () => formatNames,
});

const shownBy =
  ({ urlOf }: HookEndpointParts) =>
  ({ hook, calls }: HookWithCalls, { baseUrl }: Pick<Call, 'baseUrl'>) => ({
    hook,
    calls,
    url: urlOf(hook.id, baseUrl),
  });

function collectionEndpoints(parts: HookEndpointParts): Endpoint[] {
  const { hooks } = parts;
  const shown = shownBy(parts);
  const shared = { ...managed, path: '/v1/hooks' } as const;
  return [
    endpoint({
      ...shared,
      method: 'GET',
      operationId: 'listHooks',
      tool: {
        name: 'list_hooks',
        access: 'read',
        guide: 'last_error and calls_24h show whether an auth server reaches its hook.',
      },
      summary: 'The hooks of the environment, newest first',
      response: dataOf(listOf(hookBody)),
      errors: [],
      handle: async (_sent, call) => (await hooks.list(call.caller)).map((hook) => shown(hook, call)),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      operationId: 'createHook',
      tool: {
        name: 'create_hook',
        access: 'write',
        guide: 'configuration says what to set at the auth server, with the secret. test_hook shows the exchange.',
      },
      summary: 'Create a hook for an auth server; only this response contains its secret',
      status: 201,
      body: createdHook,
      response: dataOf(hookWithSecretBody),
      errors: ['validation_failed', 'hook_limit_reached', 'unsupported_media_type'],
      handle: async ({ body }, call) => shown(await hooks.create(call.author, body), call),
    }),
  ];
}

function singleEndpoints(parts: HookEndpointParts): Endpoint[] {
  const { hooks } = parts;
  const shown = shownBy(parts);
  const shared = { ...managed, path: '/v1/hooks/{hook_id}' } as const;
  return [
    endpoint({
      ...shared,
      method: 'GET',
      operationId: 'readHook',
      summary: 'A hook',
      response: dataOf(hookBody),
      errors: ['hook_not_found'],
      handle: async ({ params }, call) => shown(await hooks.read(call.caller, params.hook_id), call),
    }),
    endpoint({
      ...shared,
      method: 'PATCH',
      operationId: 'changeHook',
      summary: 'Change a hook',
      body: changedHook,
      response: dataOf(hookBody),
      errors: ['validation_failed', 'hook_not_found', 'unsupported_media_type'],
      handle: async ({ params, body }, call) => shown(await hooks.change(call.author, params.hook_id, body), call),
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      operationId: 'removeHook',
      tool: {
        name: 'delete_hook',
        access: 'write',
        guide: 'Sign-ups fail at an auth server that still calls the hook.',
      },
      summary: 'Remove a hook; its URL then answers 404',
      status: 204,
      errors: ['hook_not_found'],
      handle: ({ params }, { author }) => hooks.remove(author, params.hook_id),
    }),
  ];
}

function secretEndpoints(parts: HookEndpointParts): Endpoint[] {
  const shown = shownBy(parts);
  return [
    endpoint({
      ...managed,
      method: 'POST',
      path: '/v1/hooks/{hook_id}/secret',
      operationId: 'rotateHookSecret',
      summary: "Set or rotate a hook's secret; only this response contains the new one",
      description:
        'The old secret is accepted for 24 hours more, unless keep_old is false. A second rotation ends the one before.',
      body: rotatedSecret,
      response: dataOf(hookWithSecretBody),
      errors: ['validation_failed', 'hook_not_found', 'unsupported_media_type'],
      handle: async ({ params, body }, call) =>
        shown(await parts.hooks.rotateSecret(call.author, params.hook_id, body), call),
    }),
  ];
}

function testEndpoint({ hooks, test }: HookEndpointParts): Endpoint {
  return endpoint({
    ...managed,
    method: 'POST',
    path: '/v1/hooks/{hook_id}/test',
    operationId: 'testHook',
    tool: {
      name: 'test_hook',
      access: 'read',
      guide: 'It shows what the auth server would send and what it would get.',
    },
    summary: 'The request that the auth server would send for a sign-up, and the response',
    description:
      'Decides like a trace: costs as much (1 credit, 3 with an ip), nothing is logged or counted, at most ten requests per second.',
    credits: ({ body }) => {
      const question = questionOf(body);
      return question === null ? 0 : question.ip === null ? 1 : 3;
    },
    isFreeInConsole: true,
    // It may wait for facts as long as a decision.
    load: 'network',
    body: testedSignUp,
    response: dataOf(hookTestBody),
    errors: ['validation_failed', 'hook_not_found', 'unsupported_media_type'],
    target: async ({ params }, { caller }) => (await hooks.read(caller, params.hook_id)).hook,
    handle: ({ body }, call, hook) => test(hook, body, call),
  });
}
