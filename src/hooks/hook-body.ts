import { type WireProperty, wireObject } from '../http/answers/wire-object.ts';
import { wireTime } from '../http/wire-time.ts';
import { type JsonSchema, schema } from '../input/schema.ts';
import { type FormatName, formatOf } from './formats/all.ts';
import type { ConfigurationStep, SampleRequest } from './formats/format.ts';
import { type CallCounts, callResults, type Hook, hookAnswers, secretHint } from './hook.ts';
import { formatInput } from './hook-input.ts';

/** A hook with the further fields of its response. */
export interface ShownHook {
  readonly hook: Hook;
  readonly url: string;
  readonly calls: CallCounts;
}

const time = schema.string({ examples: ['2026-11-15T00:20:00+00:00'] });
const timeOf = (epochMs: number | null): string | null => (epochMs === null ? null : wireTime(epochMs));

const step = wireObject<ConfigurationStep>([
  { path: 'title', schema: schema.string(), value: ({ title }) => title },
  { path: 'code', schema: schema.nullable(schema.string()), value: ({ code }) => code },
]);

const countsSchema = schema.object(
  Object.fromEntries(callResults.map((name) => [name, schema.integer({ minimum: 0 })])),
  { description: 'Calls of the last 24 hours by result; a challenge counts as what it became' },
);

/** An auth server, for a choice. */
export const formatBody = wireObject<FormatName>([
  { path: 'format', schema: formatInput.schema, value: (name) => name },
  { path: 'label', schema: schema.string(), value: (name) => formatOf(name).label },
  {
    path: 'secret_from_server',
    schema: schema.boolean({ description: 'The auth server makes the secret' }),
    value: (name) => formatOf(name).secretFromServer === true,
  },
]);

/** Replaces a secret that is not shown. */
const hidden = 'THE_SECRET';

const configurationOf = ({ hook, url }: ShownHook, secret: string | null) =>
  formatOf(hook.format)
    .configuration(url, secret ?? hidden)
    .map(step.body);

const settings: readonly WireProperty<ShownHook>[] = [
  { path: 'id', schema: schema.string(), value: ({ hook }) => hook.id },
  { path: 'name', schema: schema.string(), value: ({ hook }) => hook.name },
  { path: 'gate_id', schema: schema.string(), value: ({ hook }) => hook.gateId },
  { path: 'format', schema: formatInput.schema, value: ({ hook }) => hook.format },
  { path: 'url', schema: schema.string({ description: 'What the auth server calls' }), value: ({ url }) => url },
  { path: 'enabled', schema: schema.boolean(), value: ({ hook }) => hook.enabled },
  { path: 'challenge', schema: schema.oneOf(hookAnswers), value: ({ hook }) => hook.challenge },
  { path: 'unavailable', schema: schema.oneOf(hookAnswers), value: ({ hook }) => hook.unavailable },
  { path: 'message', schema: schema.string(), value: ({ hook }) => hook.message },
  {
    path: 'secret_hint',
    schema: schema.nullable(schema.string(), { description: 'The last four characters of the secret' }),
    value: ({ hook }) => secretHint(hook.secrets.current),
  },
  {
    path: 'last_call_at',
    schema: schema.nullable(time, { description: 'The last call with a valid signature' }),
    value: ({ hook }) => timeOf(hook.lastCallAtMs),
  },
  {
    path: 'last_error',
    schema: schema.nullable(schema.string(), {
      description: 'Why the last failed call failed; null after a call that was decided',
    }),
    value: ({ hook }) => hook.lastError,
  },
  { path: 'calls_24h', schema: countsSchema, value: ({ calls }) => calls },
];

const times: readonly WireProperty<ShownHook>[] = [
  { path: 'created_at', schema: time, value: ({ hook }) => wireTime(hook.createdAtMs) },
  { path: 'updated_at', schema: time, value: ({ hook }) => wireTime(hook.updatedAtMs) },
];

const configurationSchema: JsonSchema = schema.array(step.schema, {
  description: 'What to set at the auth server, step by step',
});

export const hookBody = wireObject<ShownHook>([
  ...settings,
  { path: 'configuration', schema: configurationSchema, value: (shown) => configurationOf(shown, null) },
  ...times,
]);

/** A hook with its secret, for the responses that create one. */
export const hookWithSecretBody = wireObject<ShownHook>([
  ...settings,
  {
    path: 'configuration',
    schema: configurationSchema,
    value: (shown) => configurationOf(shown, shown.hook.secrets.current),
  },
  {
    path: 'secret',
    schema: schema.nullable(schema.string(), {
      description: 'Shown only in this response; null until the one that the auth server generates is set',
    }),
    value: ({ hook }) => hook.secrets.current,
  },
  ...times,
]);

/** A test: the request as the auth server would send it, and the response. */
export interface HookTest {
  readonly url: string;
  readonly request: SampleRequest;
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

const headersSchema = (description: string): JsonSchema => ({
  type: 'object',
  additionalProperties: { type: 'string' },
  description,
});

export const hookTestBody = wireObject<HookTest>([
  { path: 'request.method', schema: schema.string(), value: () => 'POST' },
  { path: 'request.url', schema: schema.string(), value: ({ url }) => url },
  {
    path: 'request.headers',
    schema: headersSchema('Secrets and signatures are `…`'),
    value: ({ request }) => request.headers,
  },
  {
    path: 'request.body',
    schema: { type: 'object', additionalProperties: true },
    value: ({ request }) => request.body,
  },
  { path: 'response.status', schema: schema.integer(), value: ({ response }) => response.status },
  { path: 'response.headers', schema: headersSchema('The content type'), value: ({ response }) => response.headers },
  { path: 'response.body', schema: schema.string(), value: ({ response }) => response.body },
]);
